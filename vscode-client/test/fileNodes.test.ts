import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    EVERYTHING,
    added,
    fileNodes,
    filesIn,
    isEverything,
    total,
    urisOf,
    type Filter,
    type Node,
} from '../src/fileNodes';
import type { Counts, Problem, ScannedFile } from '../src/scanResult';

function file(path: string, findings: Counts = { differs: 1 }, problems: readonly Problem[] = []): ScannedFile {
    return { uri: `file:///w/${path}`, path, counts: findings, findings, problems };
}

/** The tree in a few words: a folder with its children in brackets. */
function drawn(nodes: readonly Node[]): string {
    return nodes.map((node) => (node.kind === 'file' ? node.name : `${node.name}[${drawn(node.children)}]`)).join(' ');
}

test('folders come first, names in the order people expect', () => {
    const paths = ['b.py', 'A.py', 'm10.py', 'm9.py', 'z/x.py', '包/层.py', 'y/x.py'];
    assert.equal(drawn(fileNodes(paths.map((path) => file(path)), EVERYTHING)), 'y[x.py] z[x.py] 包[层.py] A.py b.py m9.py m10.py');
});

test('folders with a single folder in them are drawn together', () => {
    const paths = ['src/pkg/inner/a.py', 'src/pkg/inner/deep/b.py', 'tests/t.py'];
    const nodes = fileNodes(paths.map((path) => file(path)), EVERYTHING);
    assert.equal(drawn(nodes), 'src/pkg/inner[deep[b.py] a.py] tests[t.py]');
    assert.deepEqual(
        nodes.map((node) => node.path),
        ['src/pkg/inner', 'tests'],
    );
    assert.deepEqual(
        filesIn(nodes).map((node) => node.path),
        ['src/pkg/inner/deep/b.py', 'src/pkg/inner/a.py', 'tests/t.py'],
    );
    assert.deepEqual(nodes.map(urisOf), [
        ['file:///w/src/pkg/inner/deep/b.py', 'file:///w/src/pkg/inner/a.py'],
        ['file:///w/tests/t.py'],
    ]);
});

test('files outside of the workspace and without a file have their place', () => {
    assert.equal(drawn(fileNodes([file('/tmp/x.py'), file('untitled:1')], EVERYTHING)), '/tmp[x.py] untitled:1');
});

test('a folder has the counts of all that is in it', () => {
    const files = [file('p/a.py', { missing: 1, differs: 2 }), file('p/q/b.py', { differs: 3 }), file('p/c.py', {})];
    const [folder] = fileNodes(files, EVERYTHING);
    assert.deepEqual(folder?.counts, { missing: 1, differs: 5 });
    assert.equal(total(added([{ missing: 1 }, { equivalent: 4 }])), 5);
});

test('the filter decides on files and on what is counted', () => {
    const broken = file('broken.py', {}, [{ message: 'no text', line: 1, column: 1 }]);
    const files = [file('a.py', { missing: 1, equivalent: 9 }), file('b.py', { equivalent: 2 }), file('c.py', {}), broken];
    const filter: Filter = { statuses: ['missing'], clean: false };
    const shown = filesIn(fileNodes(files, filter));
    assert.deepEqual(
        shown.map((node) => [node.name, node.counts]),
        [
            ['a.py', { missing: 1 }],
            ['broken.py', {}],
        ],
    );
    assert.equal(filesIn(fileNodes(files, { ...filter, clean: true })).length, 3);
    assert.equal(filesIn(fileNodes(files, EVERYTHING)).length, 4);
    assert.deepEqual([isEverything(EVERYTHING), isEverything(filter)], [true, false]);
});
