// Reads the user's settings from VS Code.

import * as vscode from 'vscode';
import { settingsForServer, type SettingValue } from './settingsForServer';

/** What the server is told, for the file or folder `scope` (the whole window without one). */
export function serverSettings(scope: vscode.Uri | undefined): Record<string, SettingValue> {
    const configuration = vscode.workspace.getConfiguration('mindport', scope ?? null);
    return settingsForServer((name) => chosen(configuration, name), vscode.env.language);
}

/** The value of `mindport.interpreter`. In an untrusted workspace VS Code leaves out the workspace's value. */
export function interpreterSetting(): string {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    return vscode.workspace.getConfiguration('mindport', folder ?? null).get<string>('interpreter', '');
}

/** The effective value of a setting that the user set somewhere; undefined where only the default stands. */
function chosen(configuration: vscode.WorkspaceConfiguration, name: string): SettingValue | undefined {
    const found = configuration.inspect<SettingValue>(name);
    const isSet =
        found?.globalValue !== undefined ||
        found?.workspaceValue !== undefined ||
        found?.workspaceFolderValue !== undefined;
    return isSet ? configuration.get<SettingValue>(name) : undefined;
}
