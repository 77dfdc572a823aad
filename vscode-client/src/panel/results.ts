// What the server answers to `mindport.scanResults` (see docs/protocol.md), and what the panel and the
// extension say to each other. No `vscode` and no page here.

import type { Place, Problem } from '../scanResult';
import type { Asked } from '../scannedFiles';

export type { Asked, Place };

export interface Table {
    readonly id: string;
    readonly title: string;
    readonly about: string;
    readonly rows: number;
    readonly uses: number;
}

export interface Row {
    readonly table: string;
    readonly api: string;
    readonly becomes: string;
    readonly target: string;
    readonly link: string | null;
    readonly status: string;
    readonly versions: string;
    readonly devices: string;
    readonly differs: string;
    readonly code: string | null;
    readonly fix: string;
    /** For each file or cell: its numbers, then four numbers for each use. */
    readonly places: readonly (readonly number[])[];
}

export interface File {
    readonly uri: string;
    readonly path: string;
}

export interface FileProblem extends Problem {
    readonly file: number;
}

export interface Results {
    readonly scan: string;
    readonly target: { readonly version: string; readonly device: string; readonly style: string };
    readonly cancelled: boolean;
    readonly tables: readonly Table[];
    readonly columns: Readonly<Record<string, string>>;
    readonly statuses: Readonly<Record<string, string>>;
    readonly fixes: Readonly<Record<string, string>>;
    readonly files: readonly File[];
    readonly problems: readonly FileProblem[];
    readonly rows: readonly Row[];
}

/** What the user has chosen to see. Empty texts choose everything. */
export interface Choice {
    readonly search: string;
    readonly file: string;
    readonly status: string;
    readonly fix: string;
}

/** Whether everything is chosen. */
export function isEverything(choice: Choice): boolean {
    return Object.values(choice).every((text: string) => text.trim() === '');
}

export const FORMATS = ['csv', 'html', 'json', 'sarif'] as const;
export type Format = (typeof FORMATS)[number];

/** The panel's own words, in the user's language. `{0}` stands for a number or a name. */
export interface Texts {
    readonly search: string;
    readonly file: string;
    readonly everyStatus: string;
    readonly everyFix: string;
    readonly clear: string;
    readonly scanAgain: string;
    readonly exportAs: string;
    readonly tables: string;
    readonly counts: string;
    readonly countsShown: string;
    readonly files: string;
    readonly nothingFound: string;
    readonly nothingFits: string;
    readonly explain: string;
    readonly documentation: string;
    readonly moreFiles: string;
    readonly cell: string;
    readonly problems: string;
    readonly stale: string;
    readonly cancelled: string;
    readonly loading: string;
}

export type ToPage =
    | { readonly type: 'results'; readonly results: Results; readonly texts: Texts; readonly asked: Asked }
    | { readonly type: 'loading'; readonly texts: Texts }
    | { readonly type: 'stale' }
    | { readonly type: 'failed'; readonly message: string; readonly texts: Texts };

export type FromPage =
    | { readonly type: 'ready' }
    | { readonly type: 'open'; readonly uri: string; readonly place: Place }
    | { readonly type: 'explain'; readonly name: string }
    | { readonly type: 'export'; readonly format: Format; readonly choice: Choice }
    | { readonly type: 'scanAgain' };
