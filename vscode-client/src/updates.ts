// Looks at changed files again, when it has been quiet for a moment; one look at a time. No `vscode` here.

/** Calls back when it has been quiet; what is returned calls that off. */
export type Wait = (callback: () => void) => () => void;

export class Updates {
    private everything = false;
    private readonly some = new Set<string>();
    private callOff: () => void = () => undefined;
    private isLooking = false;

    /** `look` is given the URIs of what has changed, or undefined for everything. */
    constructor(
        private readonly wait: Wait,
        private readonly look: (uris: readonly string[] | undefined) => Promise<void>,
    ) {}

    /** Anything may have changed. */
    all(): void {
        this.everything = true;
        this.later();
    }

    /** A document has changed. */
    one(uri: string): void {
        this.some.add(uri);
        this.later();
    }

    dispose(): void {
        this.callOff();
        this.everything = false;
        this.some.clear();
    }

    private later(): void {
        this.callOff();
        this.callOff = this.wait(() => void this.now());
    }

    private async now(): Promise<void> {
        if (this.isLooking) {
            return; // what has changed meanwhile is looked at afterwards
        }
        const uris = this.everything ? undefined : [...this.some];
        this.everything = false;
        this.some.clear();
        this.isLooking = true;
        try {
            await this.look(uris);
        } finally {
            this.isLooking = false;
            if (this.everything || this.some.size > 0) {
                this.later();
            }
        }
    }
}
