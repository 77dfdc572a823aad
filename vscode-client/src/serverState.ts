// What the server is doing, as the user is shown it. No `vscode` here.

export type ServerState =
    | { readonly kind: 'stopped' }
    | { readonly kind: 'starting' }
    | { readonly kind: 'ready'; readonly version: string }
    | { readonly kind: 'failed' };

/** Counts the tasks the server has said it is working on, each by its token. */
export class WorkCounter {
    private readonly tokens = new Set<string | number>();

    /** Takes note of a progress message; true when that changed whether there is work. */
    note(token: string | number, kind: 'begin' | 'report' | 'end'): boolean {
        const before = this.isBusy;
        if (kind === 'end') {
            this.tokens.delete(token);
        } else {
            this.tokens.add(token);
        }
        return before !== this.isBusy;
    }

    get isBusy(): boolean {
        return this.tokens.size > 0;
    }

    clear(): void {
        this.tokens.clear();
    }
}
