// Runs a program to its end and says what came of it. No `vscode` here.

import { spawn } from 'node:child_process';

/** How long a command may take to answer a question, in milliseconds. */
export const TIME_LIMIT = 15_000;

/** What came back from a process that ran to its end, or did not. */
export interface ProcessResult {
    /** `ENOENT`, `EACCES`, ... when the process could not be started. */
    readonly startError: string | undefined;
    readonly timedOut: boolean;
    readonly exitCode: number | undefined;
    readonly stdout: string;
    readonly stderr: string;
}

export interface RunOptions {
    /** Milliseconds after which the process is killed; `TIME_LIMIT` if absent. */
    readonly timeLimit?: number;
    /** Kills the process when it is aborted. */
    readonly signal?: AbortSignal | undefined;
}

export type Run = (command: string, args: readonly string[], options?: RunOptions) => Promise<ProcessResult>;

/** Runs `command` in `folder` without a shell; a process that takes too long or is aborted is killed. */
export function runProcess(
    command: string,
    args: readonly string[],
    folder: string,
    { timeLimit = TIME_LIMIT, signal }: RunOptions = {},
): Promise<ProcessResult> {
    return new Promise((resolve) => {
        const output = { stdout: '', stderr: '' };
        let timedOut = false;
        const child = spawn(command, args, { cwd: folder, windowsHide: true, stdio: ['ignore', 'pipe', 'pipe'] });
        const kill = (): void => {
            child.kill('SIGKILL');
            child.stdout.destroy();
            child.stderr.destroy();
        };
        const timer = setTimeout(() => {
            timedOut = true;
            kill();
        }, timeLimit);
        const finish = (startError: string | undefined, exitCode: number | undefined): void => {
            clearTimeout(timer);
            signal?.removeEventListener('abort', kill);
            resolve({ startError, timedOut, exitCode, ...output });
        };
        signal?.addEventListener('abort', kill);
        child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
        child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
        child.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message, undefined));
        child.on('close', (code) => finish(undefined, code ?? undefined));
        if (signal?.aborted === true) {
            kill();
        }
    });
}

/** The last three lines of what a program wrote. */
export function lastLines(text: string): string {
    return text.trim().split(/\r?\n/).slice(-3).join('\n');
}
