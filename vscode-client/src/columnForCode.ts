// Where code is opened from a panel: beside it, so that both can be seen.

import * as vscode from 'vscode';

/** The group of editors for code: one that is there and is not the panel's, else a new one beside it. */
export function columnForCode(panel: vscode.ViewColumn | undefined): vscode.ViewColumn {
    const others = vscode.window.tabGroups.all.filter((group) => group.viewColumn !== panel);
    const withCode = others.find((group) => group.activeTab?.input instanceof vscode.TabInputText);
    return (withCode ?? others[0])?.viewColumn ?? vscode.ViewColumn.Beside;
}
