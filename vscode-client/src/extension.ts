// What VS Code calls when a Python file is opened, and the commands and events it leads to.

import * as vscode from 'vscode';
import { searchForApi } from './apiSearch';
import { ExplanationPages } from './explanations';
import { watchActiveInterpreter } from './pythonExtension';
import { interpreterSetting } from './settings';
import { Server } from './server';
import { TargetItem } from './targetItem';

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    const output = vscode.window.createOutputChannel('MindPort', { log: true });
    const running = new Server(context, output);
    server = running;
    const pages = new ExplanationPages(running);
    const target = new TargetItem(running, output);
    const restart = () => running.restart();
    const restartIfFree = () => {
        if (interpreterSetting() === '') {
            void restart();
        }
    };
    context.subscriptions.push(
        output,
        running,
        vscode.commands.registerCommand('mindport.restart', restart),
        vscode.commands.registerCommand('mindport.showOutput', () => output.show()),
        pages,
        target,
        vscode.commands.registerCommand('mindport.searchForApi', () => searchForApi(running, pages)),
        vscode.commands.registerCommand('mindport.chooseTarget', () => target.choose()),
        vscode.workspace.onDidChangeConfiguration((event) => onConfiguration(event, running)),
        vscode.workspace.onDidGrantWorkspaceTrust(async () => {
            await watchActiveInterpreter(context, output, restartIfFree);
            await restart();
        }),
    );
    void restart();
    await watchActiveInterpreter(context, output, restartIfFree);
}

export function deactivate(): Promise<void> | undefined {
    return server?.stop();
}

async function onConfiguration(event: vscode.ConfigurationChangeEvent, running: Server): Promise<void> {
    if (event.affectsConfiguration('mindport.interpreter')) {
        await running.restart();
    } else if (event.affectsConfiguration('mindport')) {
        await running.sendSettings();
    }
}
