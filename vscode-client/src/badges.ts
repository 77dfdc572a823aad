// The number of findings beside a file's name in our own view; the explorer has those of the Problems already.

import * as vscode from 'vscode';
import { total, type FileNode } from './fileNodes';
import { gravest } from './statusTexts';

const SCHEME = 'mindport-findings';
const MOST_IN_TWO_CHARACTERS = 99;
const COLOURS = { missing: 'list.errorForeground', differs: 'list.warningForeground' };

export class Badges implements vscode.FileDecorationProvider, vscode.Disposable {
    private shown = new Map<string, FileNode>();
    private readonly changes = new vscode.EventEmitter<undefined>();
    readonly onDidChangeFileDecorations = this.changes.event;
    /** After the event: whoever registers us asks for it at once. */
    private readonly registration = vscode.window.registerFileDecorationProvider(this);

    /** Shows the badges of these files. */
    show(files: readonly FileNode[]): void {
        this.shown = new Map(files.map((node) => [badgeUri(node.path).toString(), node]));
        this.changes.fire(undefined);
    }

    provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
        const node = uri.scheme === SCHEME ? this.shown.get(uri.toString()) : undefined;
        const number = node === undefined ? 0 : total(node.counts);
        if (node === undefined || number === 0) {
            return undefined;
        }
        const grave = gravest(node.counts);
        return new vscode.FileDecoration(
            number > MOST_IN_TWO_CHARACTERS ? '9+' : String(number),
            undefined, // the tooltip of the node says it already
            grave === undefined ? undefined : new vscode.ThemeColor(COLOURS[grave]),
        );
    }

    dispose(): void {
        this.registration.dispose();
        this.changes.dispose();
    }
}

/** Names a file or folder for its icon and its badge. */
export function badgeUri(path: string): vscode.Uri {
    return vscode.Uri.from({ scheme: SCHEME, path: `/${path}` });
}
