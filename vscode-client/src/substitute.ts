// The variables that may stand in the settings that name programs. No `vscode` here.

import * as path from 'node:path';

/** What the variables stand for. */
export interface Places {
    readonly platform: NodeJS.Platform;
    readonly home: string;
    /** The folder the settings are read for: the first of the workspace. */
    readonly workspaceFolder: string | undefined;
    /** Every folder of the workspace by its name. */
    readonly workspaceFolders: Readonly<Record<string, string>>;
    readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * `~`, `${userHome}`, `${workspaceFolder}`, `${workspaceFolder:name}`, `${cwd}` (the workspace) and `${env:NAME}`
 * replaced; what a variable stands for is taken literally, and one that stands for nothing becomes empty. A
 * relative path with a folder in it starts at the workspace; a bare name is left to the PATH.
 */
export function substitute(setting: string, places: Places): string {
    const platformPath = places.platform === 'win32' ? path.win32 : path.posix;
    const expanded = setting
        .trim()
        .replace(/^~(?=$|[/\\])/, '${userHome}')
        .replace(/\$\{(\w+)(?::([^}]*))?\}/g, (whole, name: string, argument?: string) =>
            valueOf(name, argument, places) ?? whole,
        );
    const hasFolder = /[/\\]/.test(expanded);
    if (hasFolder && !platformPath.isAbsolute(expanded) && places.workspaceFolder !== undefined) {
        return platformPath.join(places.workspaceFolder, expanded);
    }
    return expanded;
}

/** What a variable stands for; undefined for one that is not known. */
function valueOf(name: string, argument: string | undefined, places: Places): string | undefined {
    switch (name) {
        case 'userHome':
            return places.home;
        case 'cwd':
            return places.workspaceFolder ?? '';
        case 'workspaceFolder':
            return (argument === undefined ? places.workspaceFolder : places.workspaceFolders[argument]) ?? '';
        case 'env':
            return places.environment[argument ?? ''] ?? '';
        default:
            return undefined;
    }
}
