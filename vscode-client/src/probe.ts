// Asks a command whether it can run the server, and says why not. No `vscode` here.

import { spawn } from 'node:child_process';
import type { Launcher } from './interpreter';

/** The oldest Python and the oldest server this extension works with. */
export const MINIMUM_PYTHON: Version = [3, 10, 0];
export const MINIMUM_SERVER: Version = [0, 1, 0];

/** How long a command may take to say its version, in milliseconds. */
export const TIME_LIMIT = 15_000;

export type Version = readonly [number, number, number];

/** What came back from a process that ran to its end, or did not. */
export interface ProcessResult {
    /** `ENOENT`, `EACCES`, ... when the process could not be started. */
    readonly startError: string | undefined;
    readonly timedOut: boolean;
    readonly exitCode: number | undefined;
    readonly stdout: string;
    readonly stderr: string;
}

export type Probe =
    | { readonly kind: 'ready'; readonly version: string }
    | { readonly kind: 'commandMissing'; readonly detail: string }
    | { readonly kind: 'moduleMissing' }
    | { readonly kind: 'pythonTooOld'; readonly version: string }
    | { readonly kind: 'serverTooOld'; readonly version: string }
    | { readonly kind: 'timedOut' }
    | { readonly kind: 'failed'; readonly detail: string };

export type Run = (command: string, args: readonly string[]) => Promise<ProcessResult>;

/** Whether `launcher` can run the server. Asks the interpreter for its own version only where that helps. */
export async function probe(launcher: Launcher, run: Run): Promise<Probe> {
    const answer = interpretAnswer(await run(launcher.command, [...launcher.args, '--version']));
    const mayBeOld = answer.kind === 'moduleMissing' || answer.kind === 'failed';
    if (!mayBeOld || !launcher.isInterpreter) {
        return answer;
    }
    const question = 'import sys; print(".".join(str(part) for part in sys.version_info[:3]))';
    const python = await run(launcher.command, ['-c', question]);
    return tooOldPython(python) ?? answer;
}

/** What the outcome of `... --version` means. */
export function interpretAnswer(result: ProcessResult): Probe {
    if (result.startError !== undefined) {
        return { kind: 'commandMissing', detail: result.startError };
    }
    if (result.timedOut) {
        return { kind: 'timedOut' };
    }
    if (result.exitCode !== 0) {
        return interpretFailure(result);
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

function interpretFailure(result: ProcessResult): Probe {
    // CPython says: "<interpreter>: No module named mindport". A package that mindport itself needs and
    // lacks is another matter, and shows in the detail.
    if (/No module named '?mindport'?\s*$/m.test(result.stderr)) {
        return { kind: 'moduleMissing' };
    }
    // Windows has a `python` that only points to its store.
    if (/Python was not found/.test(result.stderr + result.stdout)) {
        return { kind: 'commandMissing', detail: 'Python was not found' };
    }
    const detail = lastLines(result.stderr || result.stdout);
    return { kind: 'failed', detail: detail || `exit code ${result.exitCode ?? 'unknown'}` };
}

function tooOldPython(result: ProcessResult): Probe | undefined {
    const version = result.exitCode === 0 ? parseVersion(result.stdout) : undefined;
    if (version === undefined || !isOlder(version, MINIMUM_PYTHON)) {
        return undefined;
    }
    return { kind: 'pythonTooOld', version: version.join('.') };
}

function lastLines(text: string): string {
    return text.trim().split(/\r?\n/).slice(-3).join('\n');
}

/** Runs `command` in `folder` without a shell; a process that exceeds `timeLimit` milliseconds is killed. */
export function runProcess(
    command: string,
    args: readonly string[],
    folder: string,
    timeLimit: number = TIME_LIMIT,
): Promise<ProcessResult> {
    return new Promise((resolve) => {
        const output = { stdout: '', stderr: '' };
        let timedOut = false;
        const child = spawn(command, args, { cwd: folder, windowsHide: true, stdio: ['ignore', 'pipe', 'pipe'] });
        const timer = setTimeout(() => {
            timedOut = true;
            child.kill('SIGKILL');
            child.stdout.destroy();
            child.stderr.destroy();
        }, timeLimit);
        const finish = (startError: string | undefined, exitCode: number | undefined): void => {
            clearTimeout(timer);
            resolve({ startError, timedOut, exitCode, ...output });
        };
        child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
        child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
        child.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message, undefined));
        child.on('close', (code) => finish(undefined, code ?? undefined));
    });
}
