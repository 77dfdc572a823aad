// "Convert to MindSpore" above classes of PyTorch, where the user wants it there. VS Code asks for them when nothing
// was typed for a while.

import * as vscode from 'vscode';
import type { Server } from './server';

const CONVERT_GROUP = 'refactor.rewrite.mindport.convertGroup';

interface Line {
    readonly line: number;
    readonly character: number;
}

export class ClassLenses implements vscode.CodeLensProvider, vscode.Disposable {
    private readonly changes = new vscode.EventEmitter<void>();
    private readonly watching: readonly vscode.Disposable[];

    constructor(private readonly server: Server) {
        this.watching = [
            vscode.languages.registerCodeLensProvider({ scheme: 'file', language: 'python' }, this),
            server.onDidChange(() => this.changes.fire()),
        ];
    }

    get onDidChangeCodeLenses(): vscode.Event<void> {
        return this.changes.event;
    }

    async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
        const isWanted = vscode.workspace.getConfiguration('mindport', document.uri).get<boolean>('codeLens', true);
        if (!isWanted || !this.server.isRunning) {
            return [];
        }
        const uri = document.uri.toString();
        const places = await this.server.execute<Line[]>('mindport.torchClasses', uri).catch(() => []);
        const title = vscode.l10n.t('Convert to MindSpore');
        return places.map(({ line, character }) => {
            const at = new vscode.Position(line, character);
            const command = { title, command: 'mindport.convertThisClass', arguments: [document.uri, at] };
            return new vscode.CodeLens(new vscode.Range(at, at), command);
        });
    }

    dispose(): void {
        for (const each of this.watching) {
            each.dispose();
        }
        this.changes.dispose();
    }
}

/** Converts the class at a place, else that around the cursor, together with what it needs. */
export async function convertClass(uri?: vscode.Uri, at?: vscode.Position): Promise<void> {
    if (uri !== undefined && at !== undefined) {
        const editor = await vscode.window.showTextDocument(uri);
        editor.selection = new vscode.Selection(at, at);
    }
    await vscode.commands.executeCommand('editor.action.codeAction', { kind: CONVERT_GROUP, apply: 'first' });
}
