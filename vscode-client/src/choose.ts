// Picks the first command that can run the server, or says which failure to show. No `vscode` here.

import type { Launcher } from './interpreter';
import type { Probe } from './probe';

export interface Attempt {
    readonly launcher: Launcher;
    readonly probe: Probe;
}

export type Choice =
    | { readonly found: true; readonly launcher: Launcher; readonly version: string }
    | { readonly found: false; readonly reason: Attempt };

/** Tries the launchers in order (at least one), stopping at the first that is ready. */
export async function choose(
    candidates: readonly Launcher[],
    ask: (launcher: Launcher) => Promise<Probe>,
    report: (attempt: Attempt) => void,
): Promise<Choice> {
    const attempts: Attempt[] = [];
    for (const launcher of candidates) {
        const attempt = { launcher, probe: await ask(launcher) };
        report(attempt);
        if (attempt.probe.kind === 'ready') {
            return { found: true, launcher, version: attempt.probe.version };
        }
        attempts.push(attempt);
    }
    return { found: false, reason: mostTelling(attempts) };
}

/** The failure that helps most: a mindport that is there but broken, then an interpreter without it. */
export function mostTelling(attempts: readonly Attempt[]): Attempt {
    const order: Probe['kind'][] = [
        'serverTooOld',
        'failed',
        'timedOut',
        'moduleMissing',
        'pythonTooOld',
        'commandMissing',
    ];
    for (const kind of order) {
        const attempt = attempts.find((candidate) => candidate.probe.kind === kind);
        if (attempt !== undefined) {
            return attempt;
        }
    }
    throw new Error('no command was tried');
}
