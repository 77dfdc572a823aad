// The environment that is active in the Python extension, where that extension is installed.

import * as vscode from 'vscode';

/** The parts of the Python extension's public API that are used here. */
interface PythonEnvironments {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(environment: {
        readonly path: string;
    }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
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

/** The active environment's interpreter, if it can be told. Never throws: the failure goes to `output`. */
export async function activeInterpreter(output: vscode.LogOutputChannel): Promise<string | undefined> {
    try {
        const api = await environments();
        const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
        const environment = await api?.resolveEnvironment(api.getActiveEnvironmentPath(folder));
        return environment?.executable.uri?.fsPath;
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
