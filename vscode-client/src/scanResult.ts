// What the server answers to `mindport.scanProject` and `mindport.fileFindings`; see docs/protocol.md.
// No `vscode` here.

/** Gravest first. */
export const STATUSES = ['missing', 'differs', 'unmapped', 'equivalent', 'not_needed'] as const;
export type Status = (typeof STATUSES)[number];
/** The word for each status, as the server gives it. */
export type StatusNames = { readonly [status in Status]?: string };
export type Counts = { readonly [status in Status]?: number };

export interface Problem {
    readonly message: string;
    readonly line: number;
    readonly column: number;
    readonly cell?: number;
}

export interface ScannedFile {
    readonly uri: string;
    readonly path: string;
    readonly counts: Counts;
    readonly findings: Counts;
    readonly problems: readonly Problem[];
}

export interface ScanResult {
    /** Under which the server keeps the scan; null if it does not. */
    readonly scan: string | null;
    readonly statuses: StatusNames;
    readonly files: readonly ScannedFile[];
    readonly cancelled: boolean;
}

export interface Position {
    readonly line: number;
    readonly character: number;
}

export interface Place {
    readonly range: { readonly start: Position; readonly end: Position };
    /** In a notebook, the number of the cell, from 1. */
    readonly cell?: number;
}

/** Findings that say the same. */
export interface Group {
    readonly api: string;
    readonly targets: string;
    readonly status: Status;
    readonly code: string;
    readonly message: string;
    readonly places: readonly Place[];
}

/** The place that comes first in the text; undefined if there is none. */
export function firstPlace(groups: readonly Group[]): Place | undefined {
    return groups.flatMap((group) => group.places).sort(inOrder)[0];
}

function inOrder(one: Place, other: Place): number {
    return (
        (one.cell ?? 0) - (other.cell ?? 0) ||
        one.range.start.line - other.range.start.line ||
        one.range.start.character - other.range.start.character
    );
}
