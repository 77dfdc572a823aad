// What the user reads when the server cannot be started.

import * as vscode from 'vscode';
import type { Failed } from './choose';
import { errorText } from './errorText';
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
            return vscode.l10n.t('MindPort cannot start: {0} did not respond in time.', command);
        case 'failed':
            return vscode.l10n.t('MindPort cannot start: {0} failed. {1}', command, probe.detail);
        case 'notBundled':
            return vscode.l10n.t(
                'MindPort cannot start yet: the extension does not include everything the server needs for Python {0}.',
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
    const detail = errorText(error);
    return vscode.l10n.t('The MindPort server did not start: {0}', detail);
}

/** Explains that the server stopped too often to be started again. */
export function explainCrashes(): string {
    return vscode.l10n.t('The MindPort server stopped several times and will not be restarted.');
}
