// Which files and findings the view shows: chosen by the user, and remembered for the workspace.

import * as vscode from 'vscode';
import { EVERYTHING, type Filter } from './fileNodes';
import { STATUSES, type Status, type StatusNames } from './scanResult';

const KEY = 'mindport.files.filter';

export function loadFilter(state: vscode.Memento): Filter {
    return state.get<Filter>(KEY, EVERYTHING);
}

export async function saveFilter(state: vscode.Memento, filter: Filter): Promise<void> {
    await state.update(KEY, filter);
}

interface Choice extends vscode.QuickPickItem {
    /** Undefined for files without findings. */
    readonly status?: Status;
}

/** The filter that the user chooses; undefined if they do not. */
export async function chooseFilter(filter: Filter, names: StatusNames): Promise<Filter | undefined> {
    const choices: readonly Choice[] = [
        ...STATUSES.map((status) => ({
            label: names[status] ?? status,
            picked: filter.statuses.includes(status),
            status,
        })),
        { label: vscode.l10n.t('Files without findings'), picked: filter.clean },
    ];
    const chosen = await vscode.window.showQuickPick(choices, {
        canPickMany: true,
        title: vscode.l10n.t('Show files with these findings'),
    });
    return chosen === undefined
        ? undefined
        : {
              statuses: STATUSES.filter((status) => chosen.some((each) => each.status === status)),
              clean: chosen.some((each) => each.status === undefined),
          };
}
