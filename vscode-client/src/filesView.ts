// The files of the project in the side bar: with how much is to be done in each, and what that is.

import * as vscode from 'vscode';
import { Badges } from './badges';
import { chooseFilter, loadFilter, saveFilter } from './chooseFilter';
import { errorText } from './errorText';
import { added, fileNodes, filesIn, isEverything, total, type FileNode, type Filter, type Node } from './fileNodes';
import { openPlace } from './openPlace';
import { ScannedFiles } from './scannedFiles';
import { firstPlace, type Group, type StatusNames } from './scanResult';
import type { Scanned, Scans } from './scans';
import type { Server } from './server';
import { inWords } from './statusTexts';
import { treeItem, type GroupNode, type OpenableNode, type ViewNode } from './treeItems';
import { Updates } from './updates';

const VIEW = 'mindport.files';
const QUIET_MILLISECONDS = 500;

export class FilesView implements vscode.TreeDataProvider<ViewNode>, vscode.Disposable {
    private readonly files = new ScannedFiles((uri) => vscode.Uri.parse(uri).toString());
    private readonly changes = new vscode.EventEmitter<undefined>();
    private readonly badges = new Badges();
    private readonly updates = new Updates(afterQuiet, (uris) => this.lookAgain(uris));
    private readonly view: vscode.TreeView<ViewNode>;
    private readonly disposables: readonly vscode.Disposable[];
    private filter: Filter;
    private nodes: readonly Node[] = [];
    private isPartial = false;
    private names: StatusNames = {};
    readonly onDidChangeTreeData = this.changes.event;

    constructor(
        private readonly server: Server,
        private readonly scans: Scans,
        private readonly state: vscode.Memento,
        private readonly output: vscode.LogOutputChannel,
    ) {
        this.filter = loadFilter(state);
        this.view = vscode.window.createTreeView(VIEW, { treeDataProvider: this, showCollapseAll: true });
        this.disposables = [
            this.view,
            this.changes,
            this.badges,
            this.updates,
            scans.onDidScan((scanned) => void this.take(scanned)),
            server.onDidOutdate(() => this.updates.all()),
            server.onDidChange(() => this.updates.all()),
            vscode.workspace.onDidChangeTextDocument(({ document }) => this.changed(document.uri)),
            vscode.workspace.onDidCloseTextDocument((document) => this.changed(document.uri)),
            vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => this.changed(notebook.uri)),
            vscode.workspace.onDidCloseNotebookDocument((notebook) => this.changed(notebook.uri)),
        ];
        this.show();
    }

    /** Lets the user choose which files and findings are shown. */
    async changeFilter(): Promise<void> {
        const chosen = await chooseFilter(this.filter, this.names);
        if (chosen !== undefined) {
            this.filter = chosen;
            await saveFilter(this.state, chosen);
            this.show();
        }
    }

    /** Scans once more what was scanned. */
    async refresh(): Promise<void> {
        await this.scans.scan(this.files.toRefresh ?? 'workspace');
    }

    /** Opens what a node stands for; a file at its first finding. */
    async open(node: OpenableNode): Promise<void> {
        try {
            if (node.kind === 'file') {
                const groups = total(node.counts) > 0 ? await this.groups(node) : [];
                await openPlace(vscode.Uri.parse(node.file.uri), firstPlace(groups));
            } else {
                await openPlace(node.uri, node.kind === 'place' ? node.place : firstPlace([node.group]));
            }
        } catch (error) {
            void vscode.window.showErrorMessage(errorText(error));
        }
    }

    getTreeItem(node: ViewNode): vscode.TreeItem {
        return treeItem(node, this.names);
    }

    async getChildren(node?: ViewNode): Promise<ViewNode[]> {
        switch (node?.kind) {
            case undefined:
                return [...this.nodes];
            case 'folder':
                return [...node.children];
            case 'file':
                return this.groupNodes(node);
            case 'group':
                return node.group.places.map((place) => ({ kind: 'place', uri: node.uri, place }));
            case 'place':
                return [];
        }
    }

    dispose(): void {
        vscode.Disposable.from(...this.disposables).dispose();
    }

    private async groupNodes(node: FileNode): Promise<GroupNode[]> {
        const uri = vscode.Uri.parse(node.file.uri);
        try {
            return (await this.groups(node)).map((group) => ({ kind: 'group', uri, group }));
        } catch (error) {
            this.output.warn(`The findings of ${node.path} cannot be shown: ${String(error)}`);
            return [];
        }
    }

    private async groups(node: FileNode): Promise<readonly Group[]> {
        const groups = await this.server.execute<readonly Group[]>('mindport.fileFindings', node.file.uri);
        return groups.filter((group) => this.filter.statuses.includes(group.status));
    }

    private async take({ asked, result }: Scanned): Promise<void> {
        this.files.scanned(asked, result);
        this.isPartial = result.cancelled;
        this.names = result.statuses;
        this.show();
        await vscode.commands.executeCommand(`${VIEW}.focus`);
    }

    private changed(uri: vscode.Uri): void {
        if (this.files.get(uri.toString()) !== undefined) {
            this.updates.one(uri.toString());
        }
    }

    /** Looks again at these files, or at all that were scanned. */
    private async lookAgain(uris: readonly string[] | undefined): Promise<void> {
        const asked = uris ?? this.files.toRefresh;
        if (asked === undefined || asked.length === 0 || !this.server.isRunning) {
            return;
        }
        try {
            const result = await this.scans.again(asked);
            this.files.refreshed(asked, result);
            this.names = result.statuses;
            this.show();
        } catch (error) {
            this.output.warn(`Scanned files cannot be looked at again: ${String(error)}`);
        }
    }

    private show(): void {
        this.nodes = fileNodes(this.files.files, this.filter);
        const counts = added(this.nodes.map((node) => node.counts));
        const number = total(counts);
        this.view.badge = number > 0 ? { value: number, tooltip: inWords(counts, this.names).join('\n') } : undefined;
        this.badges.show(filesIn(this.nodes));
        // Each time: VS Code drops it when the nodes change.
        const partial = vscode.l10n.t('Scan cancelled: not all files are shown.');
        this.view.message = this.isPartial ? partial : undefined;
        void vscode.commands.executeCommand('setContext', 'mindport.isScanned', !this.files.isEmpty);
        void vscode.commands.executeCommand('setContext', 'mindport.isFiltered', !isEverything(this.filter));
        this.changes.fire(undefined);
    }
}

function afterQuiet(callback: () => void): () => void {
    const timer = setTimeout(callback, QUIET_MILLISECONDS);
    return () => clearTimeout(timer);
}
