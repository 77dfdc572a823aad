// Which rows of a table are shown, in which order and with which places. No page here.

import type { Choice, File, Place, Results, Row } from './results';

export type Column = 'api' | 'becomes' | 'status' | 'versions' | 'devices' | 'differs' | 'fix' | 'number';

export const COLUMNS: readonly Column[] = [
    'api',
    'becomes',
    'status',
    'versions',
    'devices',
    'differs',
    'fix',
    'number',
];

export interface Sort {
    readonly column: Column;
    readonly descending: boolean;
}

export const EVERYTHING: Choice = { search: '', file: '', status: '', fix: '' };

/** The uses in one file, or one cell of a notebook. */
export interface PlacesInFile {
    readonly file: File;
    readonly cell: number;
    readonly places: readonly Place[];
}

/** A row with what of it is shown. */
export interface ShownRow {
    readonly row: Row;
    readonly number: number;
    readonly groups: readonly (readonly number[])[];
}

const NUMBERS_BEFORE = 2;
const NUMBERS_OF_PLACE = 4;
const FIX_ORDER = ['safe', 'review', 'none'];

/** The results, made ready for looking through them quickly. */
export class View {
    private readonly texts = new Map<Row, string>();
    private readonly paths: readonly string[];
    private readonly order = new Intl.Collator(undefined, { numeric: true });

    constructor(readonly results: Results) {
        this.paths = results.files.map((file) => file.path.toLowerCase());
        for (const row of results.rows) {
            this.texts.set(row, searchText(row));
        }
    }

    /** The rows of all tables that fit, with the places that fit. */
    shown(choice: Choice): ShownRow[] {
        const words = wordsOf(choice.search);
        const files = this.filesThatFit(choice.file);
        const shown: ShownRow[] = [];
        for (const row of this.results.rows) {
            if (!this.fits(row, choice, words)) {
                continue;
            }
            const groups = files === undefined ? row.places : row.places.filter((group) => files.has(group[0] ?? -1));
            if (groups.length > 0) {
                shown.push({ row, number: uses(groups), groups });
            }
        }
        return shown;
    }

    /** The same rows, sorted; equal ones stay in the server's order. */
    sorted(rows: readonly ShownRow[], sort: Sort): ShownRow[] {
        const sign = sort.descending ? -1 : 1;
        return [...rows].sort((one, other) => sign * this.compare(one, other, sort.column));
    }

    /** The columns of a table in which there is anything; the status only where it may vary. */
    columns(table: string): Column[] {
        const rows = this.results.rows.filter((row) => row.table === table);
        const statuses = new Set(rows.map((row) => row.status));
        return COLUMNS.filter((column) => {
            switch (column) {
                case 'api':
                case 'number':
                    return true;
                case 'status':
                    return statuses.size > 1;
                case 'fix':
                    return rows.some((row) => row.fix !== 'none');
                default:
                    return rows.some((row) => Boolean(row[column]));
            }
        });
    }

    /** The places of a row by file, in the order of files and text. */
    places(groups: readonly (readonly number[])[]): PlacesInFile[] {
        const found: PlacesInFile[] = [];
        for (const group of groups) {
            const file = this.results.files[group[0] ?? -1];
            if (file !== undefined) {
                const cell = group[1] ?? 0;
                found.push({ file, cell, places: placesOf(group, cell) });
            }
        }
        return found;
    }

    private filesThatFit(file: string): Set<number> | undefined {
        const words = wordsOf(file);
        if (words.length === 0) {
            return undefined;
        }
        const fitting = new Set<number>();
        this.paths.forEach((path, number) => {
            if (words.every((word) => path.includes(word))) {
                fitting.add(number);
            }
        });
        return fitting;
    }

    private fits(row: Row, choice: Choice, words: readonly string[]): boolean {
        if ((choice.status !== '' && row.status !== choice.status) || (choice.fix !== '' && row.fix !== choice.fix)) {
            return false;
        }
        const text = this.texts.get(row) ?? '';
        return words.every((word) => text.includes(word));
    }

    private compare(one: ShownRow, other: ShownRow, column: Column): number {
        switch (column) {
            case 'number':
                return one.number - other.number;
            case 'fix':
                return FIX_ORDER.indexOf(one.row.fix) - FIX_ORDER.indexOf(other.row.fix);
            case 'status': {
                const { statuses } = this.results;
                return this.order.compare(statuses[one.row.status] ?? '', statuses[other.row.status] ?? '');
            }
            default:
                return this.order.compare(one.row[column] ?? '', other.row[column] ?? '');
        }
    }
}

/** The name of a row that stays the same from scan to scan. */
export function keyOf(row: Row): string {
    return [row.table, row.api, row.becomes, row.code ?? '', row.fix, row.differs].join('\n');
}

/** The order in which a click on a column's title sorts, given the order so far. */
export function nextSort(column: Column, sort: Sort): Sort {
    const descending = sort.column === column ? !sort.descending : column === 'number';
    return { column, descending };
}

function searchText(row: Row): string {
    const parts = [row.api, row.becomes, row.code ?? '', row.versions, row.devices, row.differs];
    return parts.join('\n').toLowerCase();
}

function wordsOf(text: string): string[] {
    return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function uses(groups: readonly (readonly number[])[]): number {
    return groups.reduce((sum, group) => sum + (group.length - NUMBERS_BEFORE) / NUMBERS_OF_PLACE, 0);
}

function placesOf(group: readonly number[], cell: number): Place[] {
    const places: Place[] = [];
    for (let at = NUMBERS_BEFORE; at + NUMBERS_OF_PLACE <= group.length; at += NUMBERS_OF_PLACE) {
        const [line = 0, character = 0, more = 0, end = 0] = group.slice(at, at + NUMBERS_OF_PLACE);
        const range = { start: { line, character }, end: { line: line + more, character: end } };
        places.push(cell === 0 ? { range } : { cell, range });
    }
    return places;
}
