// Finds the server to start on this machine, and makes the private environment where one is needed.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { chooseServer, mostTelling, type Attempt, type Choice, type Failed, type Found } from './choose';
import { basePythons, type Launcher, type Surroundings } from './interpreter';
import { PrivateEnvironments, type InstallRequest, type InstallStep } from './privateEnvironment';
import { askPython, probe, type BasePython, type Failure } from './probe';
import { runProcess, type Run } from './processes';
import { activeEnvironment } from './pythonExtension';
import { serverEnvironment } from './serverEnvironment';
import { places, startSettings } from './settings';

export class ServerFinder {
    readonly environments: PrivateEnvironments;
    private readonly run: Run;
    private activeFolder: string | undefined;

    constructor(
        context: vscode.ExtensionContext,
        private readonly output: vscode.LogOutputChannel,
    ) {
        // Never in the user's folder, whose files Python would then import.
        this.run = (command, args, options) => runProcess(command, args, context.extensionPath, options);
        this.environments = new PrivateEnvironments(
            path.join(context.globalStorageUri.fsPath, 'environments'),
            path.join(context.extensionPath, 'wheels'),
            String(context.extension.packageJSON.version),
            process.platform,
            this.run,
        );
    }

    /** The server to start, or why there is none. Uses no network. */
    async find(): Promise<Choice> {
        return chooseServer(await this.surroundings(), {
            probe: (launcher) => probe(launcher, this.run),
            askPython: (command) => askPython(command, this.run),
            prepare: async (python) => (await this.environments.find(python)) ?? this.make(python, false),
            report: (attempt) => this.log(attempt),
        });
    }

    /** The environment variables to start with what `find` found. */
    variables({ basePrefix }: Found): Readonly<Record<string, string | undefined>> {
        return serverEnvironment(process.env, this.activeFolder, basePrefix);
    }

    /** Makes the private environment anew, with what has to be downloaded if the user agrees. Why not, else. */
    async install(): Promise<Failed | undefined> {
        const attempts: Failed[] = [];
        for (const launcher of basePythons(await this.surroundings())) {
            const python = await askPython(launcher.command, this.run);
            if (python.kind === 'python') {
                const made = await this.makeSomehow(python);
                return 'kind' in made ? { launcher, probe: made } : undefined;
            }
            attempts.push({ launcher, probe: python });
        }
        return mostTelling(attempts);
    }

    private async makeSomehow(python: BasePython): Promise<Launcher | Failure> {
        const made = await this.make(python, false);
        const isLacking = 'kind' in made && made.kind === 'notBundled';
        return isLacking && (await mayDownload(python)) ? this.make(python, true) : made;
    }

    /** Makes the environment while a notification shows how far it is and offers to cancel. */
    private async make(python: BasePython, download: boolean): Promise<Launcher | Failure> {
        if (!(await this.environments.hasBundle())) {
            return { kind: 'moduleMissing' };
        }
        this.output.info(`Making a private environment with ${python.executable} (Python ${python.version})`);
        const title = vscode.l10n.t('MindPort: setting up server');
        const location = vscode.ProgressLocation.Notification;
        const made = await vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
            const cancelling = new AbortController();
            token.onCancellationRequested(() => cancelling.abort());
            const request: InstallRequest = {
                python,
                mayDownload: download,
                signal: cancelling.signal,
                onStep: (step) => progress.report({ message: describe(step) }),
            };
            return this.environments.make(request);
        });
        this.output.info('kind' in made ? `It failed: ${JSON.stringify(made)}` : `It is ready: ${made.command}`);
        return made;
    }

    private async surroundings(): Promise<Surroundings> {
        const active = await activeEnvironment(this.output);
        this.activeFolder = active?.folder;
        return { ...startSettings(), activeEnvironment: active?.interpreter, places: places() };
    }

    private log({ launcher, probe: outcome }: Attempt): void {
        this.output.info(`${commandLine(launcher)}: ${JSON.stringify(outcome)}`);
    }
}

/** How a user would type it. */
export function commandLine(launcher: Launcher): string {
    return [launcher.command, ...launcher.args].join(' ');
}

/** Asks before the network is used. */
async function mayDownload(python: BasePython): Promise<boolean> {
    const download = vscode.l10n.t('Download and Install');
    const chosen = await vscode.window.showInformationMessage(
        vscode.l10n.t('MindPort: download packages for Python {0}?', python.version),
        {
            modal: true,
            detail: vscode.l10n.t(
                'This build of the extension does not include everything the server needs for this Python. pip downloads the rest from its configured package index into a separate environment; your projects are not changed.',
            ),
        },
        download,
    );
    return chosen === download;
}

function describe(step: InstallStep): string {
    switch (step) {
        case 'create':
            return vscode.l10n.t('creating a private environment');
        case 'install':
            return vscode.l10n.t('installing packages');
        case 'check':
            return vscode.l10n.t('checking');
    }
}
