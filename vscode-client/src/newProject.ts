// A new project for MindSpore: the user chooses a network and a place, the server makes it.

import * as vscode from 'vscode';
import { errorText } from './errorText';
import type { Server } from './server';

const NEW_PROJECT = 'mindport.newProject';

interface Model {
    readonly name: string;
    readonly text: string;
}

export async function newProject(server: Server): Promise<void> {
    try {
        const made = await make(server);
        if (made !== undefined) {
            await offerToOpen(made);
        }
    } catch (error) {
        void vscode.window.showErrorMessage(errorText(error));
    }
}

/** The folder of the project; undefined if the user gave up. */
async function make(server: Server): Promise<vscode.Uri | undefined> {
    const models = await server.execute<Model[]>(NEW_PROJECT);
    const items = models.map((model) => ({ label: model.name, description: model.text }));
    const model = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Network of the new project') });
    const [parent] = (model && (await vscode.window.showOpenDialog(place()))) ?? [];
    const name = parent && (await vscode.window.showInputBox({ prompt: vscode.l10n.t('Name of the new project') }));
    if (model === undefined || parent === undefined || !name) {
        return undefined;
    }
    const folder = vscode.Uri.joinPath(parent, name);
    await server.execute<string[]>(NEW_PROJECT, { folder: folder.toString(), model: model.label });
    return folder;
}

function place(): vscode.OpenDialogOptions {
    return {
        canSelectFiles: false,
        canSelectFolders: true,
        openLabel: vscode.l10n.t('Create the Project Here'),
        defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
    };
}

async function offerToOpen(folder: vscode.Uri): Promise<void> {
    const open = vscode.l10n.t('Open');
    const text = vscode.l10n.t('Project created in {0}.', folder.fsPath);
    if ((await vscode.window.showInformationMessage(text, open)) === open) {
        await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow: true });
    }
}
