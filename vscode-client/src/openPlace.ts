// Shows a place of a file, or of a cell of a notebook, in the editor.

import * as vscode from 'vscode';
import type { Place } from './scanResult';

const NOTEBOOKS = '.ipynb';

/** Opens a file at a place; without one, where the user was last. `viewColumn` is the active one if left out. */
export async function openPlace(
    uri: vscode.Uri,
    place: Place | undefined,
    viewColumn = vscode.ViewColumn.Active,
): Promise<void> {
    if (uri.path.endsWith(NOTEBOOKS)) {
        await openInNotebook(uri, place, viewColumn);
        return;
    }
    const selection = place === undefined ? {} : { selection: rangeOf(place) };
    await vscode.window.showTextDocument(uri, { ...selection, preview: true, viewColumn });
}

async function openInNotebook(
    uri: vscode.Uri,
    place: Place | undefined,
    viewColumn: vscode.ViewColumn,
): Promise<void> {
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    const index = (place?.cell ?? 1) - 1;
    const cell = new vscode.NotebookRange(index, index + 1);
    const editor = await vscode.window.showNotebookDocument(notebook, { selections: [cell], viewColumn });
    editor.revealRange(cell, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
    if (place === undefined || index >= notebook.cellCount) {
        return;
    }
    // A cell's own editor exists once it is edited.
    await vscode.commands.executeCommand('notebook.cell.edit');
    const document = notebook.cellAt(index).document;
    const inCell = vscode.window.visibleTextEditors.find((each) => each.document === document);
    if (inCell !== undefined) {
        const range = rangeOf(place);
        inCell.selection = new vscode.Selection(range.start, range.end);
    }
}

function rangeOf(place: Place): vscode.Range {
    const { start, end } = place.range;
    return new vscode.Range(start.line, start.character, end.line, end.character);
}
