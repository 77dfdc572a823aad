// The panel that shows what a scan found: tables of APIs, each with its places. What it shows, the server
// says; the page is in src/panel.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { ExplanationPages } from './explanations';
import { exportReport } from './exportReport';
import { openPlace } from './openPlace';
import { columnForCode } from './columnForCode';
import { errorText } from './errorText';
import type { FromPage, Results, ToPage } from './panel/results';
import { panelHtml } from './panelHtml';
import { panelTexts } from './panelTexts';
import type { Asked } from './scannedFiles';
import type { Scanned, Scans } from './scans';
import type { Server } from './server';

const TYPE = 'mindport.results';
const NONCE_BYTES = 16;

/** What the page showed before the window was loaded anew, as far as it matters here. */
interface Kept {
    readonly asked?: Asked;
}

export class ResultPanel implements vscode.Disposable, vscode.WebviewPanelSerializer<Kept | undefined> {
    private panel: vscode.WebviewPanel | undefined;
    private asked: Asked = 'workspace';
    private message: ToPage = { type: 'loading', texts: panelTexts() };
    private results: Results | undefined;
    private isOutdated = false;
    private uris: ReadonlySet<string> = new Set();
    private readonly disposables: readonly vscode.Disposable[];

    constructor(
        private readonly extension: vscode.Uri,
        private readonly server: Server,
        private readonly scans: Scans,
        private readonly pages: ExplanationPages,
    ) {
        this.disposables = [
            vscode.window.registerWebviewPanelSerializer(TYPE, this),
            scans.onDidScan((scanned) => void this.take(scanned)),
            server.onDidOutdate(() => this.outdated()),
            vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
                if (contentChanges.length > 0) {
                    this.changed(document.uri);
                }
            }),
            vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => this.changed(notebook.uri)),
        ];
    }

    /** Shows what was found last; without a scan so far, the workspace is scanned. */
    async show(): Promise<void> {
        if (this.results === undefined) {
            await this.scans.workspace();
        } else {
            this.reveal();
        }
    }

    /** Fills a panel that was open when the window was loaded anew, by scanning the same again. */
    async deserializeWebviewPanel(panel: vscode.WebviewPanel, kept: Kept | undefined): Promise<void> {
        this.panel?.dispose();
        this.attach(panel);
        this.asked = kept?.asked ?? 'workspace';
        await this.serverRuns();
        await this.scans.scan(this.asked);
        if (this.message.type === 'loading') {
            const message = vscode.l10n.t('No results: the scan failed.');
            this.send({ type: 'failed', message, texts: panelTexts() });
        }
    }

    dispose(): void {
        this.panel?.dispose();
        vscode.Disposable.from(...this.disposables).dispose();
    }

    private async take({ asked, result }: Scanned): Promise<void> {
        this.asked = asked;
        this.reveal();
        const texts = panelTexts();
        try {
            const results = await this.server.execute<Results>('mindport.scanResults', { scan: result.scan });
            this.results = results;
            this.uris = new Set(results.files.map((file) => vscode.Uri.parse(file.uri).toString()));
            this.send({ type: 'results', results, texts, asked });
        } catch (error) {
            this.send({ type: 'failed', message: textOf(error), texts });
        }
    }

    private serverRuns(): Promise<void> {
        return new Promise((resolve) => {
            const listening = this.server.onDidChange(check);
            const server = this.server;
            function check(): void {
                if (server.isRunning) {
                    listening.dispose();
                    resolve();
                }
            }
            check();
        });
    }

    /** Shows the panel and leaves the focus where it is; code that is being looked at is not covered. */
    private reveal(): void {
        if (this.panel === undefined) {
            const title = vscode.l10n.t('MindPort Results');
            const isAtCode = vscode.window.activeTextEditor !== undefined;
            const viewColumn = isAtCode ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
            this.attach(vscode.window.createWebviewPanel(TYPE, title, { viewColumn, preserveFocus: true }));
        } else {
            this.panel.reveal(undefined, true);
        }
    }

    private attach(panel: vscode.WebviewPanel): void {
        const folder = vscode.Uri.joinPath(this.extension, 'out', 'panel');
        const { webview } = panel;
        this.panel = panel;
        panel.iconPath = vscode.Uri.joinPath(this.extension, 'icon.png');
        webview.options = { enableScripts: true, localResourceRoots: [folder] };
        webview.onDidReceiveMessage((message: FromPage) => void this.answer(message));
        panel.onDidDispose(() => {
            if (this.panel === panel) {
                this.panel = undefined;
            }
        });
        webview.html = panelHtml({
            source: webview.cspSource,
            script: webview.asWebviewUri(vscode.Uri.joinPath(folder, 'page.js')).toString(),
            style: webview.asWebviewUri(vscode.Uri.joinPath(folder, 'panel.css')).toString(),
            nonce: randomBytes(NONCE_BYTES).toString('base64url'),
            language: vscode.env.language,
            title: panel.title,
        });
    }

    /** Sends a message, now if the page is there, and whenever it is made anew. */
    private send(message: ToPage): void {
        this.message = message;
        this.isOutdated = false;
        void this.panel?.webview.postMessage(message);
    }

    private async answer(message: FromPage): Promise<void> {
        try {
            switch (message.type) {
                case 'ready':
                    await this.panel?.webview.postMessage(this.message);
                    if (this.isOutdated) {
                        this.outdated();
                    }
                    break;
                case 'open':
                    await openPlace(vscode.Uri.parse(message.uri), message.place, columnForCode(this.panel?.viewColumn));
                    break;
                case 'explain':
                    await this.pages.show(message.name);
                    break;
                case 'export':
                    if (this.results !== undefined) {
                        await exportReport(this.server, message.format, this.results.scan, message.choice);
                    }
                    break;
                case 'scanAgain':
                    await this.scans.scan(this.asked);
                    break;
            }
        } catch (error) {
            void vscode.window.showErrorMessage(textOf(error));
        }
    }

    private changed(uri: vscode.Uri): void {
        if (this.uris.has(uri.toString())) {
            this.outdated();
        }
    }

    private outdated(): void {
        if (this.message.type === 'results') {
            this.isOutdated = true;
            void this.panel?.webview.postMessage({ type: 'stale' } satisfies ToPage);
        }
    }
}

function textOf(error: unknown): string {
    return errorText(error);
}
