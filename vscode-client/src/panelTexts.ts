// The result panel's own words, in the user's language. What is said about APIs comes from the server.

import * as vscode from 'vscode';
import type { Texts } from './panel/results';

export function panelTexts(): Texts {
    return {
        search: vscode.l10n.t('Search'),
        file: vscode.l10n.t('File path contains'),
        everyStatus: vscode.l10n.t('All statuses'),
        everyFix: vscode.l10n.t('Any fix'),
        clear: vscode.l10n.t('Clear'),
        scanAgain: vscode.l10n.t('Scan Again'),
        exportAs: vscode.l10n.t('Export'),
        tables: vscode.l10n.t('Results'),
        counts: vscode.l10n.t('APIs: {0} · uses: {1}', '{0}', '{1}'),
        countsShown: vscode.l10n.t('APIs: {0} of {1} · uses: {2} of {3}', '{0}', '{1}', '{2}', '{3}'),
        files: vscode.l10n.t('Files: {0}', '{0}'),
        nothingFound: vscode.l10n.t('Nothing found.'),
        nothingFits: vscode.l10n.t('No results match the filters.'),
        explain: vscode.l10n.t('Explain {0}', '{0}'),
        documentation: vscode.l10n.t('Documentation of {0}', '{0}'),
        moreFiles: vscode.l10n.t('{0} more', '{0}'),
        cell: vscode.l10n.t('cell {0}', '{0}'),
        problems: vscode.l10n.t('Could not be analyzed: {0}', '{0}'),
        stale: vscode.l10n.t('Files or settings have changed since this scan.'),
        cancelled: vscode.l10n.t('Scan cancelled: only some of the files were analyzed.'),
        loading: vscode.l10n.t('Scanning…'),
    };
}
