// Starts, stops and restarts the server process, one step at a time.

import { homedir } from 'node:os';
import * as vscode from 'vscode';
import {
    CloseAction,
    DidChangeConfigurationNotification,
    ErrorAction,
    LanguageClient,
    type CloseHandlerResult,
    type LanguageClientOptions,
    type Middleware,
} from 'vscode-languageclient/node';
import { choose, type Attempt, type Choice } from './choose';
import { CrashCounter } from './crashes';
import { launchers, type Launcher } from './interpreter';
import { explain, explainCrashes, explainStart, showProblem } from './messages';
import { probe, runProcess } from './probe';
import { activeInterpreter } from './pythonExtension';
import { interpreterSetting, serverSettings } from './settings';

export class Server implements vscode.Disposable {
    private client: LanguageClient | undefined;
    private steps: Promise<void> = Promise.resolve();

    constructor(
        private readonly context: vscode.ExtensionContext,
        private readonly output: vscode.LogOutputChannel,
    ) {}

    /** Stops the server if it runs, and starts it anew; calls that come meanwhile wait their turn. */
    restart(): Promise<void> {
        return this.next(async () => {
            await this.shutDown();
            await this.start();
        });
    }

    stop(): Promise<void> {
        return this.next(() => this.shutDown());
    }

    /** Tells a running server that the settings changed. */
    async sendSettings(): Promise<void> {
        if (this.client?.isRunning() === true) {
            const settings = { mindport: serverSettings(undefined) };
            await this.client.sendNotification(DidChangeConfigurationNotification.type, { settings });
        }
    }

    dispose(): void {
        void this.stop();
    }

    private next(step: () => Promise<void>): Promise<void> {
        this.steps = this.steps.then(step).catch((error: unknown) => this.output.error(String(error)));
        return this.steps;
    }

    private async start(): Promise<void> {
        const choice = await this.findServer();
        if (!choice.found) {
            this.tell(explain(choice.reason));
            return;
        }
        this.output.info(`Starting mindport ${choice.version} with ${commandLine(choice.launcher)}`);
        const client = this.createClient(choice.launcher);
        this.client = client;
        try {
            await client.start();
        } catch (error) {
            this.client = undefined;
            this.tell(explainStart(error));
            await client.dispose().catch(() => undefined);
        }
    }

    private async shutDown(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        await client?.dispose();
    }

    private async findServer(): Promise<Choice> {
        const candidates = launchers({
            setting: interpreterSetting(),
            activeEnvironment: await activeInterpreter(this.output),
            platform: process.platform,
            home: homedir(),
            workspaceFolder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
        });
        const run = (command: string, args: readonly string[]) => runProcess(command, args, this.folder);
        return choose(
            candidates,
            (launcher) => probe(launcher, run),
            (attempt) => this.log(attempt),
        );
    }

    /** Where the server runs: never the user's folder, whose files Python would then import. */
    private get folder(): string {
        return this.context.extensionPath;
    }

    private createClient(launcher: Launcher): LanguageClient {
        const executable = {
            command: launcher.command,
            args: [...launcher.args, 'serve', '--stdio'],
            options: { cwd: this.folder },
        };
        return new LanguageClient('mindport', 'MindPort', executable, this.clientOptions());
    }

    private clientOptions(): LanguageClientOptions {
        const crashes = new CrashCounter();
        return {
            documentSelector: [
                { scheme: 'file', language: 'python' },
                { scheme: 'untitled', language: 'python' },
            ],
            outputChannel: this.output,
            initializationOptions: { settings: serverSettings(undefined) },
            middleware: settingsMiddleware,
            errorHandler: {
                error: () => ({ action: ErrorAction.Continue }),
                closed: () => this.afterCrash(crashes),
            },
            // `start` rejects as well, and that is where the user is told.
            initializationFailedHandler: () => false,
        };
    }

    private afterCrash(crashes: CrashCounter): CloseHandlerResult {
        if (crashes.mayRestart(Date.now())) {
            this.output.warn('The server stopped; starting it again.');
            return { action: CloseAction.Restart, handled: true };
        }
        this.tell(explainCrashes());
        return { action: CloseAction.DoNotRestart, handled: true };
    }

    private log({ launcher, probe: outcome }: Attempt): void {
        this.output.info(`${commandLine(launcher)} --version: ${JSON.stringify(outcome)}`);
    }

    private tell(message: string): void {
        this.output.error(message);
        void showProblem(message, this.context, this.output);
    }
}

/** Answers the server's questions for settings, and leaves announcing changes to `Server.sendSettings`. */
const settingsMiddleware: Middleware = {
    workspace: {
        configuration: async (params, token, next) => {
            const answers = await next(params, token);
            if (!Array.isArray(answers)) {
                return answers;
            }
            return params.items.map((item, index) => {
                const scope = item.scopeUri === undefined ? undefined : vscode.Uri.parse(item.scopeUri);
                return item.section === 'mindport' ? serverSettings(scope) : answers[index];
            });
        },
        didChangeConfiguration: async () => undefined,
    },
};

function commandLine(launcher: Launcher): string {
    return [launcher.command, ...launcher.args].join(' ');
}
