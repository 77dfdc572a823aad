// Decides whether a server that stopped by itself is started again. No `vscode` here.

/** A server that stops more often than this within the window stays down. */
const LIMIT = 4;
const WINDOW = 3 * 60 * 1000;

export class CrashCounter {
    private readonly times: number[] = [];

    /** Notes a crash at `now` (milliseconds); true when the server may be started once more. */
    mayRestart(now: number): boolean {
        this.times.push(now);
        const recent = this.times.filter((time) => now - time < WINDOW);
        this.times.splice(0, this.times.length, ...recent);
        return recent.length <= LIMIT;
    }
}
