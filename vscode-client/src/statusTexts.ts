// How statuses of findings look: their marks, icons and colours. Their names come from the server.

import * as vscode from 'vscode';
import { total } from './fileNodes';
import { STATUSES, type Counts, type Status, type StatusNames } from './scanResult';

/** Short enough to stand in a line with others. */
const MARKS: Readonly<Record<Status, string>> = {
    missing: '✗',
    differs: '≠',
    unmapped: '?',
    equivalent: '✓',
    not_needed: '–',
};
const ICONS: Readonly<Record<Status, readonly [string, string]>> = {
    missing: ['error', 'problemsErrorIcon.foreground'],
    differs: ['warning', 'problemsWarningIcon.foreground'],
    unmapped: ['question', 'problemsWarningIcon.foreground'],
    equivalent: ['pass', 'testing.iconPassed'],
    not_needed: ['circle-slash', 'disabledForeground'],
};

export function statusIcon(status: Status): vscode.ThemeIcon {
    const [icon, colour] = ICONS[status];
    return new vscode.ThemeIcon(icon, new vscode.ThemeColor(colour));
}

/** The counts in a few characters. */
export function inShort(counts: Counts): string {
    return present(counts)
        .map(([status, number]) => `${MARKS[status]} ${number}`)
        .join('  ');
}

/** The counts in words, one to a line. */
export function inWords(counts: Counts, names: StatusNames): readonly string[] {
    if (total(counts) === 0) {
        return [vscode.l10n.t('No findings')];
    }
    return present(counts).map(([status, number]) => `${MARKS[status]} ${names[status] ?? status}: ${number}`);
}

/** The status that a file with these findings is marked with; undefined if none needs attention. */
export function gravest(counts: Counts): 'missing' | 'differs' | undefined {
    if ((counts.missing ?? 0) > 0) {
        return 'missing';
    }
    return (counts.differs ?? 0) > 0 ? 'differs' : undefined;
}

function present(counts: Counts): readonly (readonly [Status, number])[] {
    return STATUSES.map((status) => [status, counts[status] ?? 0] as const).filter(([, number]) => number > 0);
}
