// Starts, stops and restarts the server process, one step at a time.

import { homedir } from 'node:os';
import * as vscode from 'vscode';
import {
    CloseAction,
    DidChangeConfigurationNotification,
    ErrorAction,
    ExecuteCommandRequest,
    RevealOutputChannelOn,
    type CloseHandlerResult,
    type LanguageClientOptions,
    type Middleware,
} from 'vscode-languageclient/node';
import { QuietClient } from './client';
import { choose, type Attempt, type Choice } from './choose';
import { CrashCounter } from './crashes';
import { launchers, type Launcher } from './interpreter';
import { explain, explainCrashes, explainStart, showCrashes, showStartProblem } from './messages';
import { probe, runProcess } from './probe';
import { activeInterpreter } from './pythonExtension';
import { interpreterSetting, serverSettings } from './settings';

export class Server implements vscode.Disposable {
    private client: QuietClient | undefined;
    private steps: Promise<void> = Promise.resolve();
    private crashes = new CrashCounter();
    private readonly changes = new vscode.EventEmitter<void>();

    constructor(
        private readonly context: vscode.ExtensionContext,
        private readonly output: vscode.LogOutputChannel,
    ) {}

    /** Stops the server if it runs, and starts it anew; calls that come meanwhile wait their turn. */
    restart(): Promise<void> {
        this.crashes = new CrashCounter();
        return this.next(() => this.startAnew());
    }

    /** Fires when the server has begun to serve, or has been told of other settings. */
    get onDidChange(): vscode.Event<void> {
        return this.changes.event;
    }

    get isRunning(): boolean {
        return this.client?.isRunning() === true;
    }

    /** Carries out a command of the server. Rejects with the server's message, or if it does not run. */
    async execute<Result>(command: string, ...args: readonly unknown[]): Promise<Result> {
        if (this.client?.isRunning() !== true) {
            throw new Error(vscode.l10n.t('The MindPort server is not running.'));
        }
        return this.client.sendRequest<Result>(ExecuteCommandRequest.method, { command, arguments: args });
    }

    stop(): Promise<void> {
        return this.next(() => this.shutDown());
    }

    /** Tells a running server that the settings changed. */
    async sendSettings(): Promise<void> {
        if (this.client?.isRunning() === true) {
            const settings = { mindport: serverSettings(undefined) };
            await this.client.sendNotification(DidChangeConfigurationNotification.type, { settings });
            this.changes.fire();
        }
    }

    dispose(): void {
        void this.stop();
    }

    private next(step: () => Promise<void>): Promise<void> {
        this.steps = this.steps.then(step).catch((error: unknown) => this.output.error(String(error)));
        return this.steps;
    }

    private async startAnew(): Promise<void> {
        await this.shutDown();
        await this.start();
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
            this.changes.fire();
        } catch (error) {
            this.client = undefined;
            this.tell(explainStart(client.lastWords || error));
            await this.discard(client);
        }
    }

    private async shutDown(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        if (client !== undefined) {
            this.changes.fire();
            await this.discard(client);
        }
    }

    private async discard(client: QuietClient): Promise<void> {
        try {
            await client.dispose();
        } catch (error) {
            this.output.info(`The client of a server that had ended was discarded: ${String(error)}`);
        }
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

    private createClient(launcher: Launcher): QuietClient {
        const executable = {
            command: launcher.command,
            args: [...launcher.args, 'serve', '--stdio'],
            options: { cwd: this.folder },
        };
        return new QuietClient(executable, this.clientOptions());
    }

    private clientOptions(): LanguageClientOptions {
        return {
            documentSelector: [
                { scheme: 'file', language: 'python' },
                { scheme: 'untitled', language: 'python' },
            ],
            outputChannel: this.output,
            revealOutputChannelOn: RevealOutputChannelOn.Never,
            initializationOptions: { settings: serverSettings(undefined) },
            middleware: settingsMiddleware,
            errorHandler: {
                error: () => ({ action: ErrorAction.Continue, handled: true }),
                closed: () => this.afterEnd(),
            },
            // `start` rejects as well, and that is where the user is told.
            initializationFailedHandler: () => false,
        };
    }

    /** The server ended by itself. Starting it again is ours to do; the library would speak English. */
    private afterEnd(): CloseHandlerResult {
        const wasRunning = this.client?.isRunning() === true;
        if (wasRunning && this.crashes.mayRestart(Date.now())) {
            this.output.warn('The server stopped; starting it again.');
            // Only after the library has put this client away.
            setImmediate(() => void this.next(() => this.startAnew()));
        } else if (wasRunning) {
            const message = explainCrashes();
            this.output.error(message);
            void showCrashes(message, () => this.restart(), this.output);
        }
        return { action: CloseAction.DoNotRestart, handled: true };
    }

    private log({ launcher, probe: outcome }: Attempt): void {
        this.output.info(`${commandLine(launcher)} --version: ${JSON.stringify(outcome)}`);
    }

    private tell(message: string): void {
        this.output.error(message);
        void showStartProblem(message, this.context, this.output);
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
