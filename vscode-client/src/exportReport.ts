// Saves the report of a scan to a file that the user chooses. The server makes and writes it.

import * as vscode from 'vscode';
import type { Format } from './panel/results';
import type { Server } from './server';

const NAMES: Readonly<Record<Format, string>> = { csv: 'CSV', html: 'HTML', json: 'JSON', sarif: 'SARIF' };

interface Exported {
    readonly path: string;
    readonly changed: boolean;
}

/** Asks where to, has the report written, and offers to open it. */
export async function exportReport(server: Server, format: Format, scan: string): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const name = `mindport-report.${format}`;
    const target = await vscode.window.showSaveDialog({
        title: vscode.l10n.t('Export the Report'),
        filters: { [NAMES[format]]: [format] },
        ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
    });
    if (target === undefined) {
        return;
    }
    const title = vscode.l10n.t('MindPort: making the report');
    const made = await server.executeShown<Exported>(title, 'mindport.exportReport', format, target.toString(), {
        scan,
    });
    const open = vscode.l10n.t('Open');
    const text = made.changed
        ? vscode.l10n.t('The report was written to {0}. Files have changed since the scan; it has them as they are now.', made.path)
        : vscode.l10n.t('The report was written to {0}.', made.path);
    if ((await vscode.window.showInformationMessage(text, open)) === open) {
        await show(target, format);
    }
}

/** A page is for the browser; the rest VS Code shows. */
async function show(report: vscode.Uri, format: Format): Promise<void> {
    if (format === 'html') {
        await vscode.env.openExternal(report);
    } else {
        await vscode.commands.executeCommand('vscode.open', report);
    }
}
