import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScannedFiles } from '../src/scannedFiles';
import { firstPlace, type Place, type ScanResult } from '../src/scanResult';

function result(uris: readonly string[], number = 1, cancelled = false): ScanResult {
    const files = uris.map((uri) => {
        const counts = { differs: number };
        return { uri, path: uri.slice('file:///w/'.length), counts, findings: counts, problems: [] };
    });
    return { scan: 'x', statuses: {}, files, cancelled };
}

const A = 'file:///w/p/a.py';
const B = 'file:///w/p/b.py';
const C = 'file:///w/pq/c.py';

function known(files: ScannedFiles): readonly (string | number | undefined)[][] {
    return files.files.map((file) => [file.uri, file.findings.differs]).sort();
}

function scanned(): ScannedFiles {
    const files = new ScannedFiles((uri) => uri.replace('%3A', ':'));
    files.scanned('workspace', result([A, B, C]));
    return files;
}

test('a file that was looked at again has its new counts, the others stay', () => {
    const files = scanned();
    files.refreshed([A], result([A], 5));
    assert.deepEqual(known(files), [
        [A, 5],
        [B, 1],
        [C, 1],
    ]);
    assert.equal(files.toRefresh, 'workspace');
});

test('a file that is gone from its folder is gone, and a new one is there', () => {
    const files = scanned();
    files.refreshed(['file:///w/p'], result([B, 'file:///w/p/new.py']));
    assert.deepEqual(
        known(files).map(([uri]) => uri),
        [B, 'file:///w/p/new.py', C],
    );
    files.refreshed('workspace', result([C]));
    assert.deepEqual(known(files), [[C, 1]]);
});

test('server and editor may spell a URI differently', () => {
    const files = new ScannedFiles((uri) => uri.replace('%3A', ':'));
    files.scanned(['file:///c%3A/p'], result(['file:///c:/p/a.py']));
    files.refreshed(['file:///c:/p/a.py'], result(['file:///c%3A/p/a.py'], 2));
    assert.deepEqual(known(files), [['file:///c:/p/a.py', 2]]);
    assert.equal(files.get('file:///c%3A/p/a.py')?.findings.differs, 2);
});

test('what was scanned piece by piece is looked at again in all its pieces', () => {
    const files = new ScannedFiles((uri) => uri);
    assert.deepEqual([files.isEmpty, files.toRefresh], [true, undefined]);
    files.scanned([A], result([A]));
    files.scanned([B, A], result([A, B]));
    assert.deepEqual([files.isEmpty, files.toRefresh], [false, [A, B]]);
    files.scanned('workspace', result([A, B, C]));
    assert.equal(files.toRefresh, 'workspace');
    files.scanned([A], result([A]));
    assert.equal(files.toRefresh, 'workspace');
});

test('a scan that was cancelled stands for the files it has', () => {
    const files = new ScannedFiles((uri) => uri);
    files.scanned([B], result([B]));
    files.scanned('workspace', result([A], 1, true));
    assert.deepEqual(files.toRefresh, [B, A]);
    assert.equal(files.files.length, 2);
    files.refreshed([A], result([], 1, true));
    assert.equal(files.files.length, 2);
});

test('the first place is the first in the text, whatever its group', () => {
    const at = (line: number, character: number, cell?: number): Place => {
        const range = { start: { line, character }, end: { line, character: character + 1 } };
        return cell === undefined ? { range } : { range, cell };
    };
    const group = (places: readonly Place[]) => ({ api: 'torch.x', targets: '', status: 'differs' as const, code: 'MP201', message: '', places });
    assert.deepEqual(firstPlace([group([at(5, 1), at(7, 0)]), group([at(5, 0)])]), at(5, 0));
    assert.deepEqual(firstPlace([group([at(0, 0, 3)]), group([at(9, 0, 2)])]), at(9, 0, 2));
    assert.equal(firstPlace([]), undefined);
});
