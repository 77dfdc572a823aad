// The search for an API as the user types. What is found, and in which order, the server says.

import * as vscode from 'vscode';
import { errorText } from './errorText';
import type { ExplanationPages } from './explanations';
import { LatestOnly } from './latestOnly';
import type { Server } from './server';

interface Found {
    readonly name: string;
    readonly text: string;
}

const SHOWN_RESULTS = 50;

export function searchForApi(server: Server, pages: ExplanationPages): void {
    const pick = vscode.window.createQuickPick();
    const newest = new LatestOnly();
    pick.placeholder = vscode.l10n.t('Name of a PyTorch or MindSpore API');
    pick.matchOnDescription = true;
    pick.onDidChangeValue(async (query) => {
        pick.busy = true;
        try {
            const found = await newest.run(() => results(server, query));
            if (found !== undefined) {
                const isNothing = found.length === 0 && query.trim() !== '';
                pick.items = isNothing ? [nothing()] : found.map(item);
                pick.busy = false;
            }
        } catch (error) {
            pick.hide();
            void vscode.window.showErrorMessage(errorText(error));
        }
    });
    pick.onDidAccept(() => {
        const chosen = pick.selectedItems[0];
        pick.hide();
        if (chosen !== undefined && chosen.label !== nothing().label) {
            void pages.show(chosen.label);
        }
    });
    pick.onDidHide(() => pick.dispose());
    pick.show();
}

async function results(server: Server, query: string): Promise<readonly Found[]> {
    const text = query.trim();
    return text === '' ? [] : server.execute<Found[]>('mindport.searchApi', text, SHOWN_RESULTS);
}

function nothing(): vscode.QuickPickItem {
    return { label: vscode.l10n.t('Nothing found.'), alwaysShow: true };
}

/** Every item is shown: the server's matches are wider than those of VS Code's own filter. */
function item(found: Found): vscode.QuickPickItem {
    return { label: found.name, description: found.text, alwaysShow: true };
}
