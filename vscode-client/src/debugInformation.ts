// What helps to find out why something does not work, in a document of its own.

import * as vscode from 'vscode';
import { errorText } from './errorText';
import type { Server } from './server';

export async function showDebugInformation(server: Server, extension: vscode.Extension<unknown>): Promise<void> {
    await showText('plaintext', await debugInformation(server, extension));
}

/** A text to send to those who make MindPort: questions to answer, and what they would ask for. */
export async function reportIssue(server: Server, extension: vscode.Extension<unknown>): Promise<void> {
    const parts = [
        `# ${vscode.l10n.t('MindPort: problem report')}`,
        `## ${vscode.l10n.t('What I did')}`,
        `## ${vscode.l10n.t('What happened')}`,
        `## ${vscode.l10n.t('What I expected')}`,
        `## ${vscode.l10n.t('Code to reproduce it')}`,
        '```python\n\n```',
        `## ${vscode.l10n.t('Debug information')}`,
        `\`\`\`text\n${(await debugInformation(server, extension)).trimEnd()}\n\`\`\``,
    ];
    await showText('markdown', `${parts.join('\n\n')}\n`);
    void vscode.window.showInformationMessage(
        vscode.l10n.t('Complete the report, remove private details, and send it with your issue.'),
    );
}

async function debugInformation(server: Server, extension: vscode.Extension<unknown>): Promise<string> {
    const { version } = extension.packageJSON as { version: string };
    const lines = [
        `VS Code ${vscode.version} (${vscode.env.appName}), ${process.platform}, ${process.arch}`,
        `MindPort extension ${version}`,
        `server: ${server.commandLine ?? '-'} (${server.state.kind})`,
    ];
    return `${lines.join('\n')}\n\n${await serversPart(server)}`;
}

async function showText(language: string, content: string): Promise<void> {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language, content }));
}

async function serversPart(server: Server): Promise<string> {
    try {
        return await server.execute<string>('mindport.debugInformation');
    } catch (error) {
        return errorText(error);
    }
}
