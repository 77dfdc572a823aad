import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERYTHING, keyOf, nextSort, View, type Sort } from '../src/panel/view';
import type { Row } from '../src/panel/results';
import { results, row } from './panelResults';

const BY_NUMBER: Sort = { column: 'number', descending: true };

const ROWS: readonly Row[] = [
    row({ api: 'torch.nn.Conv2d', becomes: 'mindspore.mint.nn.Conv2d', fix: 'safe', places: [[0, 0, 2, 4, 0, 9], [1, 0, 1, 0, 0, 5, 7, 0, 0, 5]] }),
    row({ api: 'torch.sin', differs: 'The dtype of the result differed on CPU.', fix: 'review', places: [[1, 3, 0, 0, 1, 2]] }),
    row({ api: 'torch.jit.Final', table: 'missing', status: 'missing', fix: 'none', places: [[0, 0, 5, 1, 0, 2]] }),
];

const names = (view: View, choice: Partial<typeof EVERYTHING>) =>
    view.shown({ ...EVERYTHING, ...choice }).map((shown) => [shown.row.api, shown.number]);

test('everything is shown without a choice, with the number of uses', () => {
    assert.deepEqual(names(new View(results(ROWS)), {}), [['torch.nn.Conv2d', 3], ['torch.sin', 1], ['torch.jit.Final', 1]]);
});

test('all words must occur, in whatever column and case', () => {
    const view = new View(results(ROWS));
    assert.deepEqual(names(view, { search: 'CONV mint' }), [['torch.nn.Conv2d', 3]]);
    assert.deepEqual(names(view, { search: 'dtype' }), [['torch.sin', 1]]);
    assert.deepEqual(names(view, { search: 'conv sin' }), []);
});

test('a file counts the uses in it only', () => {
    const view = new View(results(ROWS));
    assert.deepEqual(names(view, { file: 'B.py' }), [['torch.nn.Conv2d', 2], ['torch.sin', 1]]);
    assert.deepEqual(names(view, { file: 'pkg a' }), [['torch.nn.Conv2d', 1], ['torch.jit.Final', 1]]);
    const [shown] = view.shown({ ...EVERYTHING, file: 'b.py' });
    assert.deepEqual(view.places(shown?.groups ?? []).map((group) => group.file.path), ['b.py']);
});

test('status and fix', () => {
    const view = new View(results(ROWS));
    assert.deepEqual(names(view, { status: 'missing' }), [['torch.jit.Final', 1]]);
    assert.deepEqual(names(view, { fix: 'safe' }), [['torch.nn.Conv2d', 3]]);
});

test('places are unpacked: several lines, and cells of notebooks', () => {
    const view = new View(results(ROWS));
    const [conv, sine] = view.shown(EVERYTHING).map((shown) => view.places(shown.groups));
    assert.deepEqual(conv?.[1]?.places, [
        { range: { start: { line: 1, character: 0 }, end: { line: 1, character: 5 } } },
        { range: { start: { line: 7, character: 0 }, end: { line: 7, character: 5 } } },
    ]);
    assert.deepEqual(sine?.[0]?.places, [
        { cell: 3, range: { start: { line: 0, character: 0 }, end: { line: 1, character: 2 } } },
    ]);
});

test('sorting is by number, by name as people count, and by how safe a fix is', () => {
    const rows = ['torch.conv10', 'torch.conv2', 'torch.Conv1'].map((api, at) =>
        row({ api, fix: ['none', 'safe', 'review'][at] ?? 'none', places: [Array(6 + 4 * at).fill(0)] }),
    );
    const view = new View(results(rows));
    const sorted = (sort: Sort) => view.sorted(view.shown(EVERYTHING), sort).map(({ row: { api } }) => api);
    assert.deepEqual(sorted({ column: 'api', descending: false }), ['torch.Conv1', 'torch.conv2', 'torch.conv10']);
    assert.deepEqual(sorted({ column: 'fix', descending: false }), ['torch.conv2', 'torch.Conv1', 'torch.conv10']);
    assert.deepEqual(sorted(BY_NUMBER), ['torch.Conv1', 'torch.conv2', 'torch.conv10']);
});

test('a second click turns the order around; numbers begin with the largest', () => {
    const first = nextSort('api', BY_NUMBER);
    assert.deepEqual(first, { column: 'api', descending: false });
    assert.deepEqual(nextSort('api', first), { column: 'api', descending: true });
    assert.deepEqual(nextSort('number', first), BY_NUMBER);
});

test('columns that say nothing in a table are left out', () => {
    const view = new View(results(ROWS));
    assert.deepEqual(view.columns('missing'), ['api', 'number']);
    assert.deepEqual(view.columns('convertible'), ['api', 'becomes', 'differs', 'fix', 'number']);
});

test('a row is known again in another scan', () => {
    assert.equal(keyOf(row({ api: 'a', places: [] })), keyOf(row({ api: 'a', places: [[1, 0]] })));
    assert.notEqual(keyOf(row({ api: 'a' })), keyOf(row({ api: 'b' })));
});
