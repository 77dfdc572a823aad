// What the user reads when the server cannot be started, with a button for each way out.

import * as vscode from 'vscode';
import type { Attempt } from './choose';
import { MINIMUM_PYTHON, MINIMUM_SERVER } from './probe';

const MARKED_PLACES = 2;

/** Explains why no server could be started. */
export function explain(attempt: Attempt): string {
    const { launcher, probe } = attempt;
    const command = launcher.command;
    switch (probe.kind) {
        case 'commandMissing':
            return launcher.origin === 'setting'
                ? vscode.l10n.t('MindPort cannot start: the interpreter {0} was not found ({1}).', command, probe.detail)
                : vscode.l10n.t('MindPort cannot start: no Python was found.');
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
        case 'ready':
            throw new Error('a server that is ready needs no explanation');
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

/** Shows that the server could not be started, with buttons that lead to a remedy. */
export async function showStartProblem(
    message: string,
    context: vscode.ExtensionContext,
    output: vscode.LogOutputChannel,
): Promise<void> {
    await showProblem(message, [
        { title: vscode.l10n.t('How to Install'), act: () => showInstallation(context) },
        { title: vscode.l10n.t('Open Settings'), act: () => openSettings('mindport.interpreter') },
        { title: vscode.l10n.t('Show Output'), act: () => output.show() },
    ]);
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
    readonly act: () => Promise<void> | void;
}

async function showProblem(message: string, buttons: readonly Button[]): Promise<void> {
    const chosen = await vscode.window.showErrorMessage(message, ...buttons);
    await chosen?.act();
}

/** On a remote machine, the page of that machine's settings: the interpreter is one of them. */
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
