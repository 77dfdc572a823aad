// An error of MindSpore's, explained by the server: what is selected, else what was copied, else what is pasted.

import * as vscode from 'vscode';
import { errorText } from './errorText';
import type { ExplanationPages } from './explanations';
import type { Server } from './server';

const LOOKS_LIKE_AN_ERROR = /Traceback|Error\b|Exception\b|\[ERROR\]/;

export async function explainError(server: Server, pages: ExplanationPages): Promise<void> {
    const message = selected() ?? (await copied()) ?? (await pasted());
    if (message === undefined || message.trim() === '') {
        return;
    }
    try {
        await pages.showError(await server.execute<string>('mindport.explainError', message));
    } catch (error) {
        void vscode.window.showErrorMessage(errorText(error));
    }
}

/** What is selected in the terminal, from its menu. */
export async function explainErrorInTerminal(server: Server, pages: ExplanationPages): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    await explainError(server, pages);
}

function selected(): string | undefined {
    const editor = vscode.window.activeTextEditor;
    return editor === undefined || editor.selection.isEmpty ? undefined : editor.document.getText(editor.selection);
}

async function copied(): Promise<string | undefined> {
    const text = await vscode.env.clipboard.readText();
    return LOOKS_LIKE_AN_ERROR.test(text) ? text : undefined;
}

function pasted(): Thenable<string | undefined> {
    return vscode.window.showInputBox({
        prompt: vscode.l10n.t('Paste the message or traceback of a MindSpore error.'),
        ignoreFocusOut: true,
    });
}
