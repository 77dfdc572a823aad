// Asks a newcomer once in a workspace whether the target is the right one, as soon as a file with PyTorch is shown.

import * as vscode from 'vscode';
import type { Server } from './server';
import { nameOf, type Choices, type TargetItem } from './targetItem';
import { importsTorch } from './torchImports';

const ANSWERED = 'mindport.targetIsAnswered';

export class TargetQuestion implements vscode.Disposable {
    private readonly watching: readonly vscode.Disposable[];
    private isAsked = false;

    constructor(
        private readonly server: Server,
        private readonly item: TargetItem,
        private readonly memory: vscode.Memento,
    ) {
        this.watching = [
            item.onDidChange(() => void this.consider()),
            vscode.window.onDidChangeActiveTextEditor(() => void this.consider()),
        ];
    }

    dispose(): void {
        for (const each of this.watching) {
            each.dispose();
        }
    }

    private async consider(): Promise<void> {
        const document = vscode.window.activeTextEditor?.document;
        const isDue = !this.isAsked && this.server.isRunning && !this.memory.get<boolean>(ANSWERED, false);
        if (!isDue || document?.languageId !== 'python' || isChosen(document.uri) || !importsTorch(document.getText())) {
            return;
        }
        this.isAsked = true;
        const choices = await this.server.execute<Choices>('mindport.target').catch(() => undefined);
        if (choices?.is_default !== true) {
            return; // the project says it, or the server has just ended
        }
        await this.ask(choices);
    }

    private async ask({ target, device }: Choices): Promise<void> {
        const keep = vscode.l10n.t('Keep');
        const choose = vscode.l10n.t('Choose Another...');
        const text = vscode.l10n.t(
            'MindPort assumes MindSpore {0} on {1}. Is that your target?',
            target,
            nameOf(device),
        );
        const answer = await vscode.window.showInformationMessage(text, keep, choose);
        await this.memory.update(ANSWERED, true);
        if (answer === choose) {
            await this.item.choose();
        }
    }
}

/** Whether the user has set the version or the device anywhere. */
function isChosen(uri: vscode.Uri): boolean {
    const configuration = vscode.workspace.getConfiguration('mindport', uri);
    return ['target', 'device'].some((name) => {
        const found = configuration.inspect(name);
        const values = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue];
        return values.some((value) => value !== undefined);
    });
}
