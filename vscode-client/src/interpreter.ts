// Which commands may start the server, best first. No `vscode` here: plain logic, tested by itself.

import * as path from 'node:path';

/** How to call mindport: `command ...args` followed by its own arguments, such as `serve --stdio`. */
export interface Launcher {
    readonly command: string;
    readonly args: readonly string[];
    /** Where the command comes from: the user's setting, the Python extension, or the PATH. */
    readonly origin: 'setting' | 'pythonExtension' | 'path';
    /** True when `command` is a Python interpreter, which can be asked for its own version. */
    readonly isInterpreter: boolean;
}

/** What the choice depends on. */
export interface Surroundings {
    /** The value of `mindport.interpreter`, as the user wrote it. */
    readonly setting: string;
    /** The interpreter of the environment that is active in the Python extension, if any. */
    readonly activeEnvironment: string | undefined;
    readonly platform: NodeJS.Platform;
    readonly home: string;
    readonly workspaceFolder: string | undefined;
}

/** The commands to try, in order. A setting is an order: nothing else is tried then. */
export function launchers(surroundings: Surroundings): Launcher[] {
    const setting = surroundings.setting.trim();
    if (setting !== '') {
        return [interpreter(expand(setting, surroundings), 'setting')];
    }
    const found: Launcher[] = [];
    if (surroundings.activeEnvironment !== undefined) {
        found.push(interpreter(surroundings.activeEnvironment, 'pythonExtension'));
    }
    found.push({ command: 'mindport', args: [], origin: 'path', isInterpreter: false });
    for (const name of interpreterNames(surroundings.platform)) {
        found.push(interpreter(name, 'path'));
    }
    return found;
}

/** `~` and `${workspaceFolder}` replaced; a relative path with a folder in it starts at the workspace. */
export function expand(setting: string, surroundings: Surroundings): string {
    const { home, workspaceFolder } = surroundings;
    const platformPath = surroundings.platform === 'win32' ? path.win32 : path.posix;
    const expanded = setting
        .replace(/^~(?=$|[/\\])/, () => home)
        .replace(/\$\{userHome\}/g, () => home)
        .replace(/\$\{workspaceFolder\}/g, () => workspaceFolder ?? '');
    const hasFolder = /[/\\]/.test(expanded);
    if (hasFolder && !platformPath.isAbsolute(expanded) && workspaceFolder !== undefined) {
        return platformPath.join(workspaceFolder, expanded);
    }
    return expanded;
}

function interpreter(command: string, origin: Launcher['origin']): Launcher {
    return { command, args: ['-m', 'mindport'], origin, isInterpreter: true };
}

function interpreterNames(platform: NodeJS.Platform): string[] {
    return platform === 'win32' ? ['python', 'python3'] : ['python3', 'python'];
}
