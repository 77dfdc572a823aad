// The commands that scan: this file, what is selected in the explorer, or the workspace.

import * as vscode from 'vscode';
import { errorText } from './errorText';
import { meantDocument } from './meantDocument';
import type { Asked } from './scannedFiles';
import type { ScanResult } from './scanResult';
import type { Server } from './server';

const COMMAND = 'mindport.scanProject';

/** A scan that the user asked for. */
export interface Scanned {
    readonly asked: Asked;
    readonly result: ScanResult;
}

export class Scans implements vscode.Disposable {
    private readonly made = new vscode.EventEmitter<Scanned>();

    constructor(private readonly server: Server) {}

    /** Fires when a scan that the user asked for has ended. */
    get onDidScan(): vscode.Event<Scanned> {
        return this.made.event;
    }

    /** Scans one file; without a URI the one in the active editor. */
    async file(uri?: vscode.Uri): Promise<void> {
        const meant = meantDocument(uri);
        if (meant === undefined) {
            void vscode.window.showInformationMessage(vscode.l10n.t('Open a Python file or a notebook to scan it.'));
        } else {
            await this.scan([meant.toString()]);
        }
    }

    /** Scans files and folders; `clicked` is among `selected`, if anything is. */
    async selection(clicked?: vscode.Uri, selected?: readonly vscode.Uri[]): Promise<void> {
        const uris = selected !== undefined && selected.length > 0 ? selected : [clicked];
        const known = uris.filter((uri) => uri !== undefined);
        await (known.length > 0 ? this.scan(known.map(String)) : this.workspace());
    }

    /** Scans all folders of the workspace. */
    workspace(): Promise<void> {
        return this.scan('workspace');
    }

    /** Scans with a notification that shows how far it is, and where it can be cancelled. */
    async scan(asked: Asked): Promise<void> {
        const title = vscode.l10n.t('MindPort: scanning');
        try {
            const result = await this.server.executeShown<ScanResult>(title, COMMAND, argument(asked));
            this.made.fire({ asked, result });
        } catch (error) {
            void vscode.window.showErrorMessage(errorText(error));
        }
    }

    /** Looks again at what was scanned; nothing of it is shown. */
    again(asked: Asked): Promise<ScanResult> {
        return this.server.execute<ScanResult>(COMMAND, { ...argument(asked), keep: false });
    }

    dispose(): void {
        this.made.dispose();
    }
}

function argument(asked: Asked): { uris?: readonly string[] } {
    return asked === 'workspace' ? {} : { uris: asked };
}
