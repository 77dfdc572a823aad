// Which document the user means by a command.

import * as vscode from 'vscode';

/** The document that was clicked, else the one that is active: of a notebook's cell the notebook. */
export function meantDocument(clicked: vscode.Uri | undefined): vscode.Uri | undefined {
    const active = vscode.window.activeTextEditor?.document.uri ?? vscode.window.activeNotebookEditor?.notebook.uri;
    const uri = clicked ?? active;
    const isOfIt = (cell: vscode.NotebookCell) => cell.document.uri.toString() === uri?.toString();
    return vscode.workspace.notebookDocuments.find((notebook) => notebook.getCells().some(isOfIt))?.uri ?? uri;
}
