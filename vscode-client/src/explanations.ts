// The server's pages about APIs and codes, shown as read-only Markdown previews.

import * as vscode from 'vscode';
import type { Server } from './server';

const SCHEME = 'mindport-page';

export class ExplanationPages implements vscode.Disposable {
    private readonly registration: vscode.Disposable;
    private errors = 0;
    private readonly pagesOfErrors = new Map<string, string>();

    constructor(server: Server) {
        this.registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
            provideTextDocumentContent: (uri) =>
                this.pagesOfErrors.get(uri.path) ?? server.execute<string>('mindport.explain', uri.query),
        });
    }

    /** Opens the page about the API or code with this name. */
    async show(name: string): Promise<void> {
        const page = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md`, query: name });
        await vscode.commands.executeCommand('markdown.showPreview', page);
    }

    /** Opens a page about an error that the server has explained. */
    async showError(text: string): Promise<void> {
        this.errors += 1;
        const page = vscode.Uri.from({ scheme: SCHEME, path: `/${vscode.l10n.t('Error')} ${this.errors}.md` });
        this.pagesOfErrors.set(page.path, text);
        await vscode.commands.executeCommand('markdown.showPreview', page);
    }

    dispose(): void {
        this.registration.dispose();
    }
}
