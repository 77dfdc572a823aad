// Answers that come too late are dropped. No `vscode` here.

export class LatestOnly {
    private newest = 0;

    /** What `ask` answers; undefined if it was overtaken, whether it then succeeded or failed. */
    async run<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
        this.newest += 1;
        const mine = this.newest;
        try {
            const answer = await ask();
            return mine === this.newest ? answer : undefined;
        } catch (error) {
            if (mine === this.newest) {
                throw error;
            }
            return undefined;
        }
    }
}
