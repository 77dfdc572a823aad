// Asks a command whether it can run the server, and says why not. No `vscode` here.

import type { Launcher } from './interpreter';
import { lastLines, type ProcessResult, type Run } from './processes';

/** The oldest Python and the oldest server this extension works with. */
export const MINIMUM_PYTHON: Version = [3, 10, 0];
export const MINIMUM_SERVER: Version = [0, 1, 0];

export type Version = readonly [number, number, number];

export type Probe =
    | { readonly kind: 'ready'; readonly version: string }
    | { readonly kind: 'commandMissing'; readonly detail: string }
    | { readonly kind: 'moduleMissing' }
    | { readonly kind: 'pythonTooOld'; readonly version: string }
    | { readonly kind: 'serverTooOld'; readonly version: string }
    | { readonly kind: 'timedOut' }
    | { readonly kind: 'failed'; readonly detail: string }
    // What can become of making a private environment:
    | { readonly kind: 'notBundled'; readonly version: string }
    | { readonly kind: 'installFailed'; readonly detail: string }
    | { readonly kind: 'cancelled' };

export type Failure = Exclude<Probe, { readonly kind: 'ready' }>;

/** Whether `launcher` can run the server. Asks the interpreter for its own version only where that helps. */
export async function probe(launcher: Launcher, run: Run): Promise<Probe> {
    const answer = interpretAnswer(await run(launcher.command, [...launcher.args, '--version']));
    const mayBeOld = answer.kind === 'moduleMissing' || answer.kind === 'failed';
    if (!mayBeOld || !launcher.isInterpreter) {
        return answer;
    }
    const python = await askPython(launcher.command, run);
    return python.kind === 'pythonTooOld' ? python : answer;
}

/** An interpreter that is new enough: its path, the version of its language such as `3.12`, its folder. */
export interface BasePython {
    readonly kind: 'python';
    readonly executable: string;
    readonly version: string;
    /** `sys.prefix`, below which its packages are. */
    readonly prefix: string;
}

/** The exit code by which shells say that there is no such command. */
const NOT_FOUND = 127;

const QUESTION =
    'import sys; print(".".join(str(part) for part in sys.version_info[:3])); print(sys.executable); print(sys.prefix)';

/** Asks an interpreter who it is. */
export async function askPython(command: string, run: Run): Promise<BasePython | Failure> {
    const result = await run(command, ['-I', '-c', QUESTION]);
    const failure = failureOf(result);
    if (failure !== undefined) {
        return failure;
    }
    const [versionLine = '', executable = '', prefix = ''] = result.stdout.trim().split(/\r?\n/);
    const version = parseVersion(versionLine);
    if (version === undefined) {
        return { kind: 'failed', detail: lastLines(result.stdout + result.stderr) };
    }
    if (isOlder(version, MINIMUM_PYTHON)) {
        return { kind: 'pythonTooOld', version: version.join('.') };
    }
    const language = `${version[0]}.${version[1]}`;
    return { kind: 'python', executable: executable || command, version: language, prefix };
}

/** What the outcome of `... --version` means. */
export function interpretAnswer(result: ProcessResult): Probe {
    const failure = failureOf(result);
    if (failure !== undefined) {
        return failure;
    }
    const version = parseVersion(result.stdout);
    if (version === undefined) {
        return { kind: 'failed', detail: lastLines(result.stdout + result.stderr) };
    }
    const text = version.join('.');
    return isOlder(version, MINIMUM_SERVER) ? { kind: 'serverTooOld', version: text } : { kind: 'ready', version: text };
}

/** The first version number in `text`, such as 0.1.0 in "mindport 0.1.0". */
export function parseVersion(text: string): Version | undefined {
    const match = /(?:^|\s)v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
    return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
}

export function isOlder(version: Version, minimum: Version): boolean {
    for (const [index, part] of version.entries()) {
        const wanted = minimum[index] ?? 0;
        if (part !== wanted) {
            return part < wanted;
        }
    }
    return false;
}

/** Why a process did not do what it was to do; undefined if it did. */
function failureOf(result: ProcessResult): Failure | undefined {
    if (result.startError !== undefined) {
        return { kind: 'commandMissing', detail: result.startError };
    }
    if (result.timedOut) {
        return { kind: 'timedOut' };
    }
    return result.exitCode === 0 ? undefined : interpretFailure(result);
}

function interpretFailure(result: ProcessResult): Failure {
    // CPython says: "<interpreter>: No module named mindport". A package that mindport itself needs and
    // lacks is another matter, and shows in the detail.
    if (/No module named '?mindport'?\s*$/m.test(result.stderr)) {
        return { kind: 'moduleMissing' };
    }
    // Windows has a `python` that only points to its store; version managers have a `python3.12` for a version
    // that is not there, which ends as a shell does that finds no command.
    if (/Python was not found/.test(result.stderr + result.stdout) || result.exitCode === NOT_FOUND) {
        return { kind: 'commandMissing', detail: 'not found' };
    }
    const detail = lastLines(result.stderr || result.stdout);
    return { kind: 'failed', detail: detail || `exit code ${result.exitCode ?? 'unknown'}` };
}
