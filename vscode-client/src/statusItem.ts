// The server's state beside the language of a Python file.

import * as vscode from 'vscode';
import type { Server } from './server';
import type { TargetItem } from './targetItem';

export class StatusItem implements vscode.Disposable {
    private readonly item = vscode.languages.createLanguageStatusItem('mindport.server', [
        { language: 'python' },
        { notebookType: 'jupyter-notebook' },
    ]);
    private readonly subscriptions: vscode.Disposable[];

    constructor(
        private readonly server: Server,
        private readonly target: TargetItem,
    ) {
        this.item.name = vscode.l10n.t('MindPort server');
        this.subscriptions = [
            server.onDidChangeState(() => this.refresh()),
            target.onDidChange(() => this.refresh()),
        ];
        this.refresh();
    }

    dispose(): void {
        this.subscriptions.forEach((each) => each.dispose());
        this.item.dispose();
    }

    private refresh(): void {
        const state = this.server.state;
        this.item.busy = state.kind === 'starting' || this.server.isBusy;
        this.item.severity = vscode.LanguageStatusSeverity.Information;
        this.item.command = { command: 'mindport.showOutput', title: vscode.l10n.t('Show Output') };
        this.item.detail = undefined;
        switch (state.kind) {
            case 'stopped':
                this.item.text = vscode.l10n.t('MindPort: stopped');
                this.item.command = { command: 'mindport.restart', title: vscode.l10n.t('Restart Server') };
                break;
            case 'starting':
                this.item.text = vscode.l10n.t('MindPort: starting');
                break;
            case 'ready':
                this.item.text = `MindPort ${state.version}`;
                this.item.detail = [this.target.text, this.server.isBusy ? vscode.l10n.t('busy') : '']
                    .filter((part) => part !== '')
                    .join(' · ');
                break;
            case 'failed':
                // The button tells the reason again, which is too long for this place, if it is still there.
                this.item.text = vscode.l10n.t('MindPort: not running');
                this.item.severity = vscode.LanguageStatusSeverity.Error;
                this.item.command = { command: 'mindport.restart', title: vscode.l10n.t('Restart Server') };
        }
    }
}
