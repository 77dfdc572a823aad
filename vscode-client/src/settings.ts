// Reads the user's settings from VS Code.

import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Surroundings } from './interpreter';
import { settingsForServer, type SettingValue } from './settingsForServer';
import type { Places } from './substitute';

/** What the server is told, for the file or folder `scope` (the whole window without one). */
export function serverSettings(scope: vscode.Uri | undefined): Record<string, SettingValue> {
    const configuration = vscode.workspace.getConfiguration('mindport', scope ?? null);
    return settingsForServer((name) => chosen(configuration, name), vscode.env.language);
}

const PROGRAM_SETTINGS = ['path', 'importStrategy', 'interpreter'] as const;

/** The settings that say whether there is a server and which program it is: a change takes a restart. */
export const START_SETTINGS = ['enable', ...PROGRAM_SETTINGS] as const;

/** Whether the user wants MindPort to run in this window. */
export function isEnabled(): boolean {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    return vscode.workspace.getConfiguration('mindport', folder ?? null).get<boolean>('enable', true);
}

/** What the user chose of how to start. In an untrusted workspace VS Code leaves out the workspace's values. */
export function startSettings(): Pick<Surroundings, (typeof PROGRAM_SETTINGS)[number]> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const configuration = vscode.workspace.getConfiguration('mindport', folder ?? null);
    return {
        path: configuration.get<string[]>('path', []),
        importStrategy: configuration.get<Surroundings['importStrategy']>('importStrategy', 'fromEnvironment'),
        interpreter: [configuration.get<string | string[]>('interpreter', [])].flat(), // it was a text once
    };
}

/** What the variables in those settings stand for. */
export function places(): Places {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return {
        platform: process.platform,
        home: homedir(),
        workspaceFolder: folders[0]?.uri.fsPath,
        workspaceFolders: Object.fromEntries(folders.map((folder) => [folder.name, folder.uri.fsPath])),
        environment: process.env,
    };
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
