// Environments of the extension's own, made from the wheels it brings. No `vscode` here.
//
// One is made in a folder beside its place and moved there when it is complete, so what is in its place is whole.
// Its name holds the extension's version, the version of Python and a digest of the wheels: another extension or
// another Python gets another one.

import { createHash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import * as path from 'node:path';
import { errorText } from './errorText';
import type { Launcher } from './interpreter';
import { probe, type BasePython, type Failure } from './probe';
import { lastLines, type ProcessResult, type Run } from './processes';

/** The steps that are told while an environment is made. */
export type InstallStep = 'create' | 'install' | 'check';

export interface InstallRequest {
    readonly python: BasePython;
    /** Whether what is not bundled may be downloaded. The user must have agreed. */
    readonly mayDownload: boolean;
    readonly signal: AbortSignal;
    readonly onStep: (step: InstallStep) => void;
}

const INSTALL_TIME = 10 * 60 * 1000;
const HOUR = 60 * 60 * 1000;
/** An environment of another version may serve another window still: it is kept this long after its last start. */
const KEPT = 7 * 24 * HOUR;
const MARK = 'last-start';
/** Lists every file of an environment: one that lacks some is broken, though it may answer still. */
const CONTENTS = 'contents.txt';
const UNFINISHED = '.unfinished-';
/** Without pip: the bundled one is used, which Python installations without ensurepip lack. */
const VENV = ['-I', '-m', 'venv', '--clear', '--without-pip'];

export class PrivateEnvironments {
    /**
     * @param root the folder that holds the environments
     * @param wheels the folder of the wheels that are bundled, with `wheels.json`, their list
     * @param version the extension's version
     */
    constructor(
        private readonly root: string,
        private readonly wheels: string,
        private readonly version: string,
        private readonly platform: NodeJS.Platform,
        private readonly run: Run,
    ) {}

    /** Whether there are wheels at all: a package made while developing the extension may have none. */
    async hasBundle(): Promise<boolean> {
        return (await list(this.wheels)).includes('wheels.json');
    }

    /** The environment for this Python, if it is there and answers. */
    async find(python: BasePython): Promise<Launcher | undefined> {
        const folder = await this.place(python);
        if (!(await isWhole(folder))) {
            return undefined;
        }
        const launcher = this.launcher(folder);
        if ((await probe(launcher, this.run)).kind !== 'ready') {
            return undefined;
        }
        await fs.writeFile(path.join(folder, MARK), '');
        return launcher;
    }

    /** Makes the environment for this Python anew, in place of what may be there. */
    async make(request: InstallRequest): Promise<Launcher | Failure> {
        const folder = await this.place(request.python);
        await fs.mkdir(this.root, { recursive: true });
        const unfinished = await fs.mkdtemp(path.join(this.root, UNFINISHED));
        try {
            const failure = await this.fillWithBest(unfinished, request);
            if (failure !== undefined) {
                return failure;
            }
            await fs.writeFile(path.join(unfinished, CONTENTS), (await filesIn(unfinished)).join('\n'));
            await fs.writeFile(path.join(unfinished, MARK), '');
            await this.putInPlace(unfinished, folder);
            return this.launcher(folder);
        } catch (error) {
            return { kind: 'installFailed', detail: errorText(error) };
        } finally {
            await removeFolder(unfinished);
        }
    }

    /** Removes the environment that `launcher` starts: it answers, but what it starts does not run. */
    async remove(launcher: Launcher): Promise<void> {
        const inside = path.relative(this.root, launcher.command).split(path.sep)[0];
        if (inside !== undefined && inside !== '..' && !path.isAbsolute(inside)) {
            await removeFolder(path.join(this.root, inside));
        }
    }

    /** Removes what an interrupted installation left, and environments that no window can be using still. */
    async removeOld(now: number): Promise<void> {
        const current = `${this.version}-`;
        const suffix = `-${await this.digest()}`;
        for (const name of await list(this.root)) {
            const folder = path.join(this.root, name);
            const isUnfinished = name.startsWith(UNFINISHED);
            const isCurrent = name.startsWith(current) && name.endsWith(suffix);
            const touched = await timeOf(isUnfinished ? folder : path.join(folder, MARK));
            if (!isCurrent && now - touched > (isUnfinished ? HOUR : KEPT)) {
                await removeFolder(folder);
            }
        }
    }

    private async place(python: BasePython): Promise<string> {
        return path.join(this.root, `${this.version}-py${python.version}-${await this.digest()}`);
    }

    /** Tells bundles apart: the list of the wheels has the hash of each. */
    private async digest(): Promise<string> {
        const wheels = await fs.readFile(path.join(this.wheels, 'wheels.json'), 'utf8').catch(() => '');
        return createHash('sha256').update(wheels).digest('hex').slice(0, 8);
    }

    private launcher(folder: string): Launcher {
        return {
            command: this.pythonIn(folder),
            args: ['-I', '-m', 'mindport'],
            origin: 'private',
            isInterpreter: true,
        };
    }

    private pythonIn(folder: string): string {
        return this.platform === 'win32'
            ? path.join(folder, 'Scripts', 'python.exe')
            : path.join(folder, 'bin', 'python');
    }

    /** Fills a folder with the server, and what is compiled of it for this Python; where that fails, without. */
    private async fillWithBest(folder: string, request: InstallRequest): Promise<Failure | undefined> {
        let failure: Failure | undefined;
        for (const wheels of await this.serverWheels(request.python)) {
            failure = await this.fill(folder, wheels, request);
            if (failure === undefined || request.signal.aborted) {
                return failure;
            }
        }
        return failure;
    }

    private async fill(
        folder: string,
        wheels: readonly string[],
        { python, mayDownload, signal, onStep }: InstallRequest,
    ): Promise<Failure | undefined> {
        const options = { timeLimit: INSTALL_TIME, signal };
        onStep('create');
        const made = await this.run(python.executable, VENV.concat(folder), options);
        if (made.exitCode !== 0) {
            return failed(made, signal);
        }
        onStep('install');
        const pip = await this.pipArguments(wheels, mayDownload);
        const installed = await this.run(this.pythonIn(folder), pip, options);
        if (installed.exitCode !== 0) {
            return isNotBundled(installed) && !mayDownload
                ? ({ kind: 'notBundled', version: python.version } as const)
                : failed(installed, signal);
        }
        onStep('check');
        const answer = await probe(this.launcher(folder), this.run);
        return answer.kind === 'ready' && !signal.aborted ? undefined : failed(installed, signal, answer);
    }

    /** The bundled pip, run from its wheel. Without leave to download, no index and no settings are heeded. */
    private async pipArguments(wheels: readonly string[], mayDownload: boolean): Promise<string[]> {
        const [wheel] = await this.wheelsOf('pip');
        const pip = path.join(this.wheels, wheel, 'pip');
        const source = mayDownload ? ['--only-binary', ':all:'] : ['--isolated', '--no-index'];
        const quietly = ['--disable-pip-version-check', '--no-input', '--no-compile', '--no-color'];
        return ['-I', pip, 'install', ...quietly, ...source, '--find-links', this.wheels, ...wheels];
    }

    /** The wheels of the server to try one after the other: with those compiled for this Python, and without. */
    private async serverWheels({ version }: BasePython): Promise<string[][]> {
        const tag = `cp${version.replace('.', '')}`;
        const [first] = await this.wheelsOf('mindport');
        const pure = path.join(this.wheels, first);
        const compiled = (await list(this.wheels)).filter(
            (wheel) => wheel.startsWith('mindport_compiled-') && wheel.includes(`-${tag}-${tag}-`),
        );
        return [...compiled.map((wheel) => [pure, path.join(this.wheels, wheel)]), [pure]];
    }

    private async wheelsOf(name: string): Promise<[string, ...string[]]> {
        const [first, ...others] = (await list(this.wheels)).filter(
            (each) => each.startsWith(`${name}-`) && each.endsWith('.whl'),
        );
        if (first === undefined) {
            throw new Error(`${this.wheels}: ${name}-*.whl is missing`);
        }
        return [first, ...others];
    }

    private async putInPlace(unfinished: string, folder: string): Promise<void> {
        await removeFolder(folder);
        try {
            await fs.rename(unfinished, folder);
        } catch (error) {
            // Another window was faster: what it made is as good.
            if ((await probe(this.launcher(folder), this.run)).kind !== 'ready') {
                throw error;
            }
        }
    }
}

function failed(result: ProcessResult, signal: AbortSignal, answer?: unknown): Failure {
    if (signal.aborted) {
        return { kind: 'cancelled' };
    }
    const written = lastLines(result.stderr || result.stdout) || (result.startError ?? `exit code ${result.exitCode}`);
    return { kind: 'installFailed', detail: answer === undefined ? written : JSON.stringify(answer) };
}

/** What pip says when no wheel suits this Python. */
function isNotBundled(result: ProcessResult): boolean {
    return /No matching distribution found|Could not find a version that satisfies/.test(result.stderr);
}

/** Whether every file that was installed is still there. */
async function isWhole(folder: string): Promise<boolean> {
    const installed = await fs.readFile(path.join(folder, CONTENTS), 'utf8').catch(() => undefined);
    const present = new Set(await filesIn(folder));
    return installed !== undefined && installed.split('\n').every((file) => present.has(file));
}

/** Every file below a folder but those that Python compiles by itself, relative to it. */
async function filesIn(folder: string): Promise<string[]> {
    const files = await fs.readdir(folder, { recursive: true }).catch(() => []);
    return files.filter((file) => !file.includes('__pycache__')).sort();
}

async function list(folder: string): Promise<string[]> {
    return fs.readdir(folder).catch(() => []);
}

/** When a file was last written, in milliseconds; 0 if it is not there. */
async function timeOf(file: string): Promise<number> {
    return fs.stat(file).then(
        (found) => found.mtimeMs,
        () => 0,
    );
}

/** Windows holds files of programs that have just ended for a moment: hence the retries. */
function removeFolder(folder: string): Promise<void> {
    return fs.rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
