// What helps to find out why something does not work, in a document of its own.

import * as vscode from 'vscode';
import { errorText } from './errorText';
import type { Server } from './server';

export async function showDebugInformation(server: Server, extension: vscode.Extension<unknown>): Promise<void> {
    const { version } = extension.packageJSON as { version: string };
    const lines = [
        `VS Code ${vscode.version} (${vscode.env.appName}), ${process.platform}, ${process.arch}`,
        `MindPort extension ${version}`,
        `server: ${server.commandLine ?? '-'} (${server.state.kind})`,
    ];
    const document = await vscode.workspace.openTextDocument({
        language: 'plaintext',
        content: `${lines.join('\n')}\n\n${await serversPart(server)}`,
    });
    await vscode.window.showTextDocument(document);
}

async function serversPart(server: Server): Promise<string> {
    try {
        return await server.execute<string>('mindport.debugInformation');
    } catch (error) {
        return errorText(error);
    }
}
