// Lets the user choose the Python to use: by the Python extension where it is installed, else by its file.

import * as vscode from 'vscode';
import { stated } from './interpreter';
import { startSettings } from './settings';

export async function selectInterpreter(): Promise<void> {
    const configuration = vscode.workspace.getConfiguration('mindport');
    const isSet = stated(startSettings().interpreter).length > 0;
    if (!isSet && vscode.extensions.getExtension('ms-python.python') !== undefined) {
        await vscode.commands.executeCommand('python.setInterpreter');
        return;
    }
    const chosen = await vscode.window.showOpenDialog({
        title: vscode.l10n.t('Python interpreter for the MindPort server'),
        openLabel: vscode.l10n.t('Select Interpreter'),
    });
    if (chosen?.[0] !== undefined) {
        await configuration.update('interpreter', [chosen[0].fsPath], vscode.ConfigurationTarget.Global);
    }
}
