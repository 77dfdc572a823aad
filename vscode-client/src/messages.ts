// What the user reads when the server cannot be started, with a button for each way out.

import * as vscode from 'vscode';
import type { Failed } from './choose';
import type { Launcher } from './interpreter';
import { MINIMUM_PYTHON, MINIMUM_SERVER } from './probe';

const MARKED_PLACES = 2;

/** Explains why no server could be started. */
export function explain({ launcher, probe }: Failed): string {
    const command = launcher.command;
    switch (probe.kind) {
        case 'commandMissing':
            return explainMissing(launcher, probe.detail);
        case 'moduleMissing':
            return vscode.l10n.t('MindPort cannot start: the package mindport is not installed in {0}.', command);
        case 'pythonTooOld':
            return vscode.l10n.t(
                'MindPort cannot start: {0} is Python {1}, but Python {2} or later is needed.',
                command,
                probe.version,
                MINIMUM_PYTHON.slice(0, MARKED_PLACES).join('.'),
            );
        case 'serverTooOld':
            return vscode.l10n.t(
                'MindPort cannot start: the package mindport is version {0}, but {1} or later is needed.',
                probe.version,
                MINIMUM_SERVER.join('.'),
            );
        case 'timedOut':
            return vscode.l10n.t('MindPort cannot start: {0} did not answer in time.', command);
        case 'failed':
            return vscode.l10n.t('MindPort cannot start: {0} failed. {1}', command, probe.detail);
        case 'notBundled':
            return vscode.l10n.t(
                'MindPort cannot start yet: this extension does not contain all that the server needs for Python {0}.',
                probe.version,
            );
        case 'installFailed':
            return vscode.l10n.t('MindPort cannot start: installing the server failed. {0}', probe.detail);
        case 'cancelled':
            return vscode.l10n.t('MindPort is not running: installing the server was cancelled.');
    }
}

function explainMissing({ command, origin }: Launcher, detail: string): string {
    switch (origin) {
        case 'pathSetting':
            return vscode.l10n.t(
                'MindPort cannot start: {0}, set in mindport.path, was not found ({1}).',
                command,
                detail,
            );
        case 'interpreterSetting':
            return vscode.l10n.t('MindPort cannot start: the interpreter {0} was not found ({1}).', command, detail);
        default:
            return vscode.l10n.t('MindPort cannot start: no Python was found.');
    }
}

/** Explains that a server which was found did not get through its start. */
export function explainStart(error: unknown): string {
    const detail = error instanceof Error ? error.message : String(error);
    return vscode.l10n.t('The MindPort server did not start: {0}', detail);
}

/** Explains that the server stopped too often to be started again. */
export function explainCrashes(): string {
    return vscode.l10n.t('The MindPort server stopped several times and is not started again.');
}

/** Shows that there is no server to start, with the buttons that help against the reason. */
export async function showNoServer(
    message: string,
    { launcher, probe }: Failed,
    context: vscode.ExtensionContext,
    output: vscode.LogOutputChannel,
): Promise<void> {
    const open: Button = { title: vscode.l10n.t('Show Output'), act: () => output.show() };
    if (launcher.origin === 'pathSetting') {
        await showProblem(message, [settingsButton('mindport.path'), open]);
        return;
    }
    if (probe.kind === 'notBundled') {
        await showProblem(message, [installButton(), interpreterButton()]);
    } else if (probe.kind === 'installFailed') {
        await showProblem(message, [installButton(), open]);
    } else {
        const isSet = launcher.origin === 'interpreterSetting';
        const remedy = isSet ? settingsButton('mindport.interpreter') : howToInstall(context);
        await showProblem(message, [remedy, interpreterButton(), open]);
    }
}

/** Shows that a server which was found did not start. */
export async function showStartProblem(
    message: string,
    launcher: Launcher,
    output: vscode.LogOutputChannel,
): Promise<void> {
    const open: Button = { title: vscode.l10n.t('Show Output'), act: () => output.show() };
    if (launcher.origin === 'pathSetting') {
        await showProblem(message, [settingsButton('mindport.path'), open]);
    } else if (launcher.origin === 'private') {
        await showProblem(message, [installButton(), open]);
    } else {
        await showProblem(message, [bundledButton(), interpreterButton(), open]);
    }
}

/** Shows that the server stopped too often to be started again by itself. */
export async function showCrashes(
    message: string,
    restart: () => Promise<void>,
    output: vscode.LogOutputChannel,
): Promise<void> {
    await showProblem(message, [
        { title: vscode.l10n.t('Restart Server'), act: restart },
        { title: vscode.l10n.t('Show Output'), act: () => output.show() },
    ]);
}

interface Button {
    readonly title: string;
    readonly act: () => Promise<void> | Thenable<void> | void;
}

function installButton(): Button {
    return {
        title: vscode.l10n.t('Install into a Private Environment'),
        act: () => vscode.commands.executeCommand('mindport.install'),
    };
}

function interpreterButton(): Button {
    return {
        title: vscode.l10n.t('Select Interpreter'),
        act: () => vscode.commands.executeCommand('mindport.selectInterpreter'),
    };
}

/** The mindport that the user installed is left alone from now on; the setting can be changed back. */
function bundledButton(): Button {
    return {
        title: vscode.l10n.t('Use the Bundled Server'),
        act: () =>
            vscode.workspace
                .getConfiguration('mindport')
                .update('importStrategy', 'useBundled', vscode.ConfigurationTarget.Global),
    };
}

function settingsButton(name: string): Button {
    return { title: vscode.l10n.t('Open Settings'), act: () => openSettings(name) };
}

function howToInstall(context: vscode.ExtensionContext): Button {
    return { title: vscode.l10n.t('How to Install'), act: () => showInstallation(context) };
}

async function showProblem(message: string, buttons: readonly Button[]): Promise<void> {
    const chosen = await vscode.window.showErrorMessage(message, ...buttons);
    await chosen?.act();
}

/** On a remote machine, the page of that machine's settings: these settings are some of them. */
async function openSettings(name: string): Promise<void> {
    const isRemote = vscode.env.remoteName !== undefined;
    const command = isRemote ? 'workbench.action.openRemoteSettings' : 'workbench.action.openSettings';
    await vscode.commands.executeCommand(command, isRemote ? { query: name } : name);
}

async function showInstallation(context: vscode.ExtensionContext): Promise<void> {
    const name = vscode.env.language.startsWith('zh') ? 'install.zh-cn.md' : 'install.md';
    const page = vscode.Uri.joinPath(context.extensionUri, 'pages', name);
    await vscode.commands.executeCommand('markdown.showPreview', page);
}
