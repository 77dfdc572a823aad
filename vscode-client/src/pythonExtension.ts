// The environment that is active in the Python extension, where that extension is installed.

import * as vscode from 'vscode';

/** The parts of the Python extension's public API that are used here. */
interface PythonEnvironments {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(environment: {
        readonly path: string;
    }): Promise<{ readonly executable: { readonly uri?: vscode.Uri; readonly sysPrefix?: string } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
}

/** The Python extension's environments; undefined without the extension or in an untrusted workspace. */
async function environments(): Promise<PythonEnvironments | undefined> {
    const extension = vscode.extensions.getExtension<{ environments?: PythonEnvironments }>('ms-python.python');
    if (extension === undefined || !vscode.workspace.isTrusted) {
        return undefined;
    }
    const api = extension.isActive ? extension.exports : await extension.activate();
    return api?.environments;
}

/** An environment that is active in the Python extension. */
export interface ActiveEnvironment {
    readonly interpreter: string;
    /** Its folder (`sys.prefix`), if that is known. */
    readonly folder: string | undefined;
}

/** The active environment, if it can be told. Never throws: the failure goes to `output`. */
export async function activeEnvironment(output: vscode.LogOutputChannel): Promise<ActiveEnvironment | undefined> {
    try {
        const api = await environments();
        const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
        const environment = await api?.resolveEnvironment(api.getActiveEnvironmentPath(folder));
        const interpreter = environment?.executable.uri?.fsPath;
        const prefix = environment?.executable.sysPrefix;
        return interpreter === undefined ? undefined : { interpreter, folder: prefix || undefined };
    } catch (error) {
        output.warn(`The Python extension did not tell its environment: ${String(error)}`);
        return undefined;
    }
}

/** Calls `changed` whenever another environment is chosen. */
export async function watchActiveInterpreter(
    context: vscode.ExtensionContext,
    output: vscode.LogOutputChannel,
    changed: () => void,
): Promise<void> {
    try {
        const api = await environments();
        const subscription = api?.onDidChangeActiveEnvironmentPath(changed);
        if (subscription !== undefined) {
            context.subscriptions.push(subscription);
        }
    } catch (error) {
        output.warn(`The Python extension cannot be watched: ${String(error)}`);
    }
}
