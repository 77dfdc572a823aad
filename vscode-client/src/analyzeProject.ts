// What has to be done to port the project, in a document of its own.

import * as vscode from 'vscode';
import { errorText } from './errorText';
import type { Server } from './server';

/** The analysis of the workspace's folders, as a rendered page beside its text, which can be saved. */
export async function analyzeProject(server: Server): Promise<void> {
    try {
        const title = vscode.l10n.t('MindPort: analyzing the project');
        const { text } = await server.executeShown<{ text: string }>(title, 'mindport.analyzeProject', 'markdown');
        const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: text });
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('markdown.showPreview', document.uri);
    } catch (error) {
        void vscode.window.showErrorMessage(errorText(error));
    }
}
