// Saves the report of a scan to a file that the user chooses. The server makes and writes it.

import * as vscode from 'vscode';
import { isEverything, type Choice, type Format } from './panel/results';
import type { Server } from './server';

const NAMES: Readonly<Record<Format, string>> = { csv: 'CSV', html: 'HTML', json: 'JSON', sarif: 'SARIF' };

interface Exported {
    readonly path: string;
    readonly changed: boolean;
}

/**
 * Asks what of a scan is wanted, if some of it is filtered out, and where to; has the report written, and offers
 * to open it.
 */
export async function exportReport(server: Server, format: Format, scan: string, choice: Choice): Promise<void> {
    const only = isEverything(choice) ? {} : await chooseExtent(choice);
    if (only === undefined) {
        return;
    }
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const name = 'only' in only ? `mindport-report-filtered.${format}` : `mindport-report.${format}`;
    const target = await vscode.window.showSaveDialog({
        title: vscode.l10n.t('Export the Report'),
        filters: { [NAMES[format]]: [format] },
        ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
    });
    if (target === undefined) {
        return;
    }
    const title = vscode.l10n.t('MindPort: creating the report');
    const made = await server.executeShown<Exported>(title, 'mindport.exportReport', format, target.toString(), {
        scan,
        ...only,
    });
    const open = vscode.l10n.t('Open');
    const text = made.changed
        ? vscode.l10n.t('Report written to {0}. Files have changed since the scan; the report shows them as they are now.', made.path)
        : vscode.l10n.t('Report written to {0}.', made.path);
    if ((await vscode.window.showInformationMessage(text, open)) === open) {
        await show(target, format);
    }
}

/** All of a scan, or what the panel's filters leave of it; undefined if the user chooses neither. */
async function chooseExtent(choice: Choice): Promise<{ only?: Choice } | undefined> {
    const filtered = { label: vscode.l10n.t('Filtered results only'), extent: { only: choice } };
    const all = { label: vscode.l10n.t('All results of the scan'), extent: {} };
    const title = vscode.l10n.t('Export the Report');
    const placeHolder = vscode.l10n.t('Filters are active. What do you want to export?');
    return (await vscode.window.showQuickPick([filtered, all], { title, placeHolder }))?.extent;
}

/** A page is for the browser; the rest VS Code shows. */
async function show(report: vscode.Uri, format: Format): Promise<void> {
    if (format === 'html') {
        await vscode.env.openExternal(report);
    } else {
        await vscode.commands.executeCommand('vscode.open', report);
    }
}
