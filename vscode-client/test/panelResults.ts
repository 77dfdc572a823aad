// Results of scans, made up for tests of the result panel.

import type { Results, Row, Texts } from '../src/panel/results';

export function row(parts: Partial<Row>): Row {
    return {
        table: 'convertible',
        api: 'torch.sin',
        becomes: '',
        target: '',
        link: null,
        status: 'equivalent',
        versions: '',
        devices: '',
        differs: '',
        code: null,
        fix: 'none',
        places: [],
        ...parts,
    };
}

export function results(rows: readonly Row[], files = ['pkg/a.py', 'b.py']): Results {
    const tables = ['convertible', 'differs', 'missing', 'possible'].map((id) => {
        const own = rows.filter((each) => each.table === id);
        const uses = own.flatMap((each) => each.places).reduce((sum, group) => sum + (group.length - 2) / 4, 0);
        return { id, title: `The ${id}`, about: `About ${id}`, rows: own.length, uses };
    });
    const columns = ['api', 'becomes', 'status', 'versions', 'devices', 'differs', 'code', 'fix', 'number'];
    return {
        scan: 'x',
        target: { version: '2.10', device: 'ascend', style: 'auto' },
        cancelled: false,
        tables,
        columns: Object.fromEntries(columns.map((name) => [name, `Column ${name}`])),
        statuses: { equivalent: 'equivalent', differs: 'differs', missing: 'no equivalent' },
        fixes: { safe: 'safe', review: 'to check', none: 'none' },
        files: files.map((path) => ({ uri: `file:///${encodeURIComponent(path)}`, path })),
        problems: [],
        rows,
    };
}

export const TEXTS: Texts = {
    search: 'Search',
    file: 'File',
    everyStatus: 'All statuses',
    everyFix: 'Every fix',
    clear: 'Clear',
    scanAgain: 'Scan Again',
    exportAs: 'Export',
    tables: 'Tables',
    counts: 'APIs: {0} · uses: {1}',
    countsShown: 'APIs: {0} of {1} · uses: {2} of {3}',
    files: 'Files: {0}',
    nothingFound: 'Nothing found.',
    nothingFits: 'Nothing fits.',
    explain: 'Explain {0}',
    documentation: 'Documentation of {0}',
    moreFiles: '{0} more',
    cell: 'cell {0}',
    problems: 'Problems: {0}',
    stale: 'Stale',
    cancelled: 'Cancelled',
    loading: 'Loading',
};
