// Picks the first command that can run the server, or says which failure to show. No `vscode` here.

import { basePythons, environmentLaunchers, pathLaunchers, type Launcher, type Surroundings } from './interpreter';
import type { BasePython, Failure, Probe } from './probe';

export interface Attempt {
    readonly launcher: Launcher;
    readonly probe: Probe;
}

/** What could not start the server, and why. */
export interface Failed {
    readonly launcher: Launcher;
    readonly probe: Failure;
}

export interface Found {
    readonly found: true;
    readonly launcher: Launcher;
    readonly version: string;
    /** The folder of the Python that a private environment was made with: the user's packages are there. */
    readonly basePrefix?: string;
}

export type Choice = Found | { readonly found: false; readonly reason: Failed };

/** What the choice asks of the machine. */
export interface Machine {
    /** Whether a command can run the server. */
    probe(launcher: Launcher): Promise<Probe>;
    /** Who an interpreter is. */
    askPython(command: string): Promise<BasePython | Failure>;
    /** The private environment for an interpreter, made from the bundle if it is not there. */
    prepare(python: BasePython): Promise<Launcher | Failure>;
    /** Is told of every attempt. */
    report(attempt: Attempt): void;
}

/**
 * The server to start: the programs of `mindport.path` if it is set; else a mindport that the user installed,
 * unless the bundled one is asked for; else the bundled one.
 */
export async function chooseServer(surroundings: Surroundings, machine: Machine): Promise<Choice> {
    const named = pathLaunchers(surroundings);
    if (named.length > 0) {
        return chooseInstalled(named, machine);
    }
    if (surroundings.importStrategy === 'fromEnvironment') {
        const choice = await chooseInstalled(environmentLaunchers(surroundings), machine);
        if (choice.found) {
            return choice;
        }
    }
    return chooseBundled(basePythons(surroundings), machine);
}

/** Tries the launchers in order (at least one), stopping at the first that is ready. */
export async function chooseInstalled(candidates: readonly Launcher[], machine: Machine): Promise<Choice> {
    const attempts: Failed[] = [];
    for (const launcher of candidates) {
        const probe = await machine.probe(launcher);
        machine.report({ launcher, probe });
        if (probe.kind === 'ready') {
            return { found: true, launcher, version: probe.version };
        }
        attempts.push({ launcher, probe });
    }
    return { found: false, reason: mostTelling(attempts) };
}

/** Tries the interpreters in order (at least one), stopping at the first that has a private environment. */
export async function chooseBundled(candidates: readonly Launcher[], machine: Machine): Promise<Choice> {
    const attempts: Failed[] = [];
    const lacking = new Set<string>();
    for (const launcher of candidates) {
        const failure = await tryBundled(launcher, machine, lacking);
        if ('found' in failure) {
            return failure;
        }
        machine.report({ launcher, probe: failure });
        attempts.push({ launcher, probe: failure });
        if (failure.kind === 'cancelled') {
            break;
        }
    }
    return { found: false, reason: mostTelling(attempts) };
}

/** `lacking`: the versions of Python that the bundle is known to have nothing for. */
async function tryBundled(base: Launcher, machine: Machine, lacking: Set<string>): Promise<Failure | Found> {
    const python = await machine.askPython(base.command);
    if (python.kind !== 'python') {
        return python;
    }
    if (lacking.has(python.version)) {
        return { kind: 'notBundled', version: python.version };
    }
    const launcher = await machine.prepare(python);
    if ('kind' in launcher) {
        if (launcher.kind === 'notBundled') {
            lacking.add(python.version);
        }
        return launcher;
    }
    const answer = await machine.probe(launcher);
    return answer.kind === 'ready'
        ? { found: true, launcher, version: answer.version, basePrefix: python.prefix }
        : answer;
}

/** The failure that helps most: one of our own, a mindport that is broken, an interpreter without it. */
export function mostTelling(attempts: readonly Failed[]): Failed {
    const order: Failure['kind'][] = [
        'cancelled',
        'notBundled',
        'installFailed',
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
