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

/** Shows `message` as an error with buttons, and does what the chosen one says. */
export async function showProblem(
    message: string,
    context: vscode.ExtensionContext,
    output: vscode.LogOutputChannel,
): Promise<void> {
    const install = vscode.l10n.t('How to Install');
    const settings = vscode.l10n.t('Open Settings');
    const log = vscode.l10n.t('Show Output');
    const chosen = await vscode.window.showErrorMessage(message, install, settings, log);
    if (chosen === install) {
        await showInstallation(context);
    } else if (chosen === settings) {
        await vscode.commands.executeCommand('workbench.action.openSettings', 'mindport.interpreter');
    } else if (chosen === log) {
        output.show();
    }
}

async function showInstallation(context: vscode.ExtensionContext): Promise<void> {
    const name = vscode.env.language.startsWith('zh') ? 'install.zh-cn.md' : 'install.md';
    const page = vscode.Uri.joinPath(context.extensionUri, 'pages', name);
    await vscode.commands.executeCommand('markdown.showPreview', page);
}
