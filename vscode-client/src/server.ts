// Starts, stops and restarts the server process, one step at a time.

import * as vscode from 'vscode';
import {
    CloseAction,
    DidChangeConfigurationNotification,
    ErrorAction,
    ExecuteCommandRequest,
    RevealOutputChannelOn,
    type CloseHandlerResult,
    type LanguageClientOptions,
} from 'vscode-languageclient/node';
import { QuietClient } from './client';
import type { Failed, Found } from './choose';
import { CrashCounter } from './crashes';
import { FailureMessages } from './failureMessages';
import { commandLine, ServerFinder } from './findServer';
import type { Launcher } from './interpreter';
import { messageLog } from './messageLog';
import { explain, explainCrashes, explainStart } from './messages';
import { RefreshFeature } from './refreshFeature';
import { requestShown } from './requestShown';
import type { RulePages } from './rulePages';
import { WorkCounter, type ServerState } from './serverState';
import { isEnabled, serverSettings } from './settings';
import { settingsMiddleware } from './settingsMiddleware';

/** The command behind the source action for the whole project. */
const CONVERT_PROJECT = 'mindport.convertProject';

export class Server implements vscode.Disposable {
    private client: QuietClient | undefined;
    private steps: Promise<void> = Promise.resolve();
    private crashes = new CrashCounter();
    private readonly changes = new vscode.EventEmitter<void>();
    private readonly outdated = new vscode.EventEmitter<void>();
    private readonly conversions = new vscode.EventEmitter<readonly unknown[]>();
    private readonly stateChanges = new vscode.EventEmitter<void>();
    private readonly work = new WorkCounter();
    private readonly finder: ServerFinder;
    private readonly failures: FailureMessages;
    private currentState: ServerState = { kind: 'stopped' };
    private started: string | undefined;

    constructor(
        private readonly context: vscode.ExtensionContext,
        private readonly output: vscode.LogOutputChannel,
        private readonly rules: RulePages,
    ) {
        this.finder = new ServerFinder(context, output);
        this.failures = new FailureMessages(context, output);
    }

    /** Stops the server if it runs, and starts it anew; calls that come meanwhile wait their turn. */
    restart(): Promise<void> {
        this.crashes = new CrashCounter();
        return this.next(() => this.startAnew());
    }

    /** Fires when the server has begun to serve, or has been told of other settings. */
    get onDidChange(): vscode.Event<void> {
        return this.changes.event;
    }

    /** Fires when settings or files on disk have changed, so that what a scan found may hold no more. */
    get onDidOutdate(): vscode.Event<void> {
        return this.outdated.event;
    }

    /** Fires when an action of the server's asks for the conversion of a folder, with the folder's URI. */
    get onDidAskToConvert(): vscode.Event<readonly unknown[]> {
        return this.conversions.event;
    }

    /** Fires when `state` or `isBusy` changes. */
    get onDidChangeState(): vscode.Event<void> {
        return this.stateChanges.event;
    }

    get state(): ServerState {
        return this.currentState;
    }

    /** Whether the server has said that it is working on something longer. */
    get isBusy(): boolean {
        return this.work.isBusy;
    }

    /** What was called to start the server last. */
    get commandLine(): string | undefined {
        return this.started;
    }

    get isRunning(): boolean {
        return this.client?.isRunning() === true;
    }

    /** Carries out a command of the server. Rejects with the server's message, or if it does not run. */
    async execute<Result>(command: string, ...args: readonly unknown[]): Promise<Result> {
        return this.running().sendRequest<Result>(ExecuteCommandRequest.method, { command, arguments: args });
    }

    /**
     * Carries out a command of the server with a notification that shows how far it is, and where it can be
     * cancelled. A server that is being started is waited for.
     */
    async executeShown<Result>(title: string, command: string, ...args: readonly unknown[]): Promise<Result> {
        const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
        return vscode.window.withProgress(options, async (progress, cancellation) => {
            await this.steps;
            return requestShown<Result>(this.running(), { command, arguments: [...args] }, progress, cancellation);
        });
    }

    /** Makes the private environment anew, after a question if something must be downloaded, and starts again. */
    async install(): Promise<void> {
        this.crashes = new CrashCounter();
        await this.next(async () => {
            await this.shutDown();
            this.become({ kind: 'starting' });
            const failed = await this.finder.install();
            if (failed === undefined) {
                await this.start();
            } else {
                this.tellNoServer(failed);
            }
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
            this.changes.fire();
        }
    }

    dispose(): void {
        void this.stop();
    }

    /** The client of the server that runs. Throws if none does. */
    private running(): QuietClient {
        if (this.client?.isRunning() !== true) {
            throw new Error(vscode.l10n.t('The MindPort server is not running.'));
        }
        return this.client;
    }

    private next(step: () => Promise<void>): Promise<void> {
        this.steps = this.steps.then(step).catch((error: unknown) => this.output.error(String(error)));
        return this.steps;
    }

    private async startAnew(): Promise<void> {
        await this.shutDown();
        await this.start();
    }

    /** `isRepaired`: the private environment has just been made anew, so it is not made once more. */
    private async start(isRepaired = false): Promise<void> {
        if (!isEnabled()) {
            this.output.info('MindPort is turned off by the setting mindport.enable.');
            return;
        }
        this.become({ kind: 'starting' });
        const choice = await this.finder.find();
        if (!choice.found) {
            this.tellNoServer(choice.reason);
            return;
        }
        const { launcher, version } = choice;
        this.started = commandLine(launcher);
        this.output.info(`Starting mindport ${version} with ${this.started}`);
        const client = this.createClient(choice);
        this.client = client;
        try {
            await client.start();
            this.become({ kind: 'ready', version });
            this.changes.fire();
            await this.finder.environments.removeOld(Date.now());
        } catch (error) {
            this.client = undefined;
            const lastWords = await client.lastWords();
            await this.discard(client);
            await this.afterFailedStart(launcher, lastWords || error, isRepaired);
        }
    }

    /** A private environment that cannot serve is broken: it is made anew, once. */
    private async afterFailedStart(launcher: Launcher, error: unknown, isRepaired: boolean): Promise<void> {
        const message = explainStart(error);
        if (launcher.origin === 'private' && !isRepaired) {
            this.output.warn(`${message}\nThe private environment is made anew.`);
            await this.finder.environments.remove(launcher);
            await this.start(true);
            return;
        }
        this.fail(message);
        void this.failures.noStart(message, launcher);
    }

    private async shutDown(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        this.become({ kind: 'stopped' });
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

    /** Where the server runs: never the user's folder, whose files Python would then import. */
    private get folder(): string {
        return this.context.extensionPath;
    }

    private createClient(found: Found): QuietClient {
        const { launcher } = found;
        const executable = {
            command: launcher.command,
            args: [...launcher.args, 'serve', '--stdio'],
            options: { cwd: this.folder, env: this.finder.variables(found) },
        };
        const client = new QuietClient(executable, this.clientOptions());
        client.registerFeature(new RefreshFeature(client, () => this.outdated.fire()));
        return client;
    }

    private clientOptions(): LanguageClientOptions {
        return {
            documentSelector: [
                { scheme: 'file', language: 'python' },
                { scheme: 'untitled', language: 'python' },
                { notebook: 'jupyter-notebook', language: 'python' },
            ],
            outputChannel: this.output,
            revealOutputChannelOn: RevealOutputChannelOn.Never,
            initializationOptions: { settings: serverSettings(undefined), trusted: vscode.workspace.isTrusted },
            middleware: {
                ...messageLog(this.output),
                ...settingsMiddleware,
                ...this.rules.middleware,
                // What changes many files is shown first; the library has no way to put a command of its own there.
                executeCommand: (command, args: unknown[], next) =>
                    command === CONVERT_PROJECT ? this.conversions.fire(args) : next(command, args),
                handleWorkDoneProgress: (token, params, next) => {
                    if (this.work.note(token, params.kind)) {
                        this.stateChanges.fire();
                    }
                    next(token, params);
                },
            },
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
            this.fail(message);
            this.changes.fire();
            void this.failures.crashes(message, () => this.restart());
        }
        return { action: CloseAction.DoNotRestart, handled: true };
    }

    private tellNoServer(reason: Failed): void {
        const message = explain(reason);
        this.fail(message);
        if (reason.probe.kind !== 'cancelled') {
            void this.failures.noServer(message, reason);
        }
    }

    private fail(message: string): void {
        this.output.error(message);
        this.become({ kind: 'failed' });
    }

    private become(state: ServerState): void {
        this.currentState = state;
        this.work.clear();
        if (state.kind === 'starting') {
            void this.failures.takeAway();
        }
        this.stateChanges.fire();
    }
}
