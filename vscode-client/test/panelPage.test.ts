import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Results } from '../src/panel/results';
import { CHROMIUM, inChromium } from './inChromium';
import { results, row, TEXTS } from './panelResults';

const skip = CHROMIUM === undefined && process.env['CI'] !== 'true' && 'Chromium is not installed';
const HOSTILE = "</script><script>document.title='owned'</script>\"'`<img src=x onerror=\"document.title='owned'\">";

test('nothing that results hold is run', { skip }, async () => {
    const hostile = row({
        api: `torch.${HOSTILE}`,
        becomes: HOSTILE,
        target: HOSTILE,
        differs: HOSTILE,
        versions: HOSTILE,
        devices: HOSTILE,
        code: HOSTILE,
        fix: HOSTILE,
        status: HOSTILE,
        link: "javascript:document.title='owned'",
        places: [[0, 0, 1, 2, 0, 5], [1, 2, 1, 2, 0, 5]],
    });
    const linked = row({ api: 'torch.nn.Linear', becomes: 'mint.nn.Linear', link: 'https://example.org/', places: [[0, 0, 0, 0, 0, 1]] });
    const made = results([hostile, linked], [HOSTILE, `${HOSTILE}.ipynb`]);
    const all = {
        ...made,
        tables: made.tables.map((table) => ({ ...table, title: HOSTILE, about: HOSTILE })),
        columns: { api: HOSTILE },
        problems: [{ file: 0, message: HOSTILE, line: 1, column: 1 }],
    };
    const told = await inChromium('hostile', all, TEXTS);
    assert.equal(told['error'], undefined);
    assert.equal(told['title'], 'Results');
    assert.equal(told['injectedTitle'], 'Results');
    assert.equal(told['titleWithoutPolicy'], 'owned'); // the test would notice
    assert.deepEqual(told['elements'], []);
    assert.deepEqual(told['handlers'], []);
    assert.deepEqual(told['links'], ['https://example.org/']);
    assert.ok((told['text'] as string).includes(HOSTILE));
});

test('sorting, filtering, opening, keys, and what is kept', { skip }, async () => {
    const made = results([
        row({ api: 'torch.b', fix: 'safe', places: [[0, 0, 9, 4, 0, 7], [1, 0, 1, 0, 0, 3, 4, 2, 0, 5]] }),
        row({ api: 'torch.a', differs: 'See `x`.', code: 'MP101', places: [[0, 0, 2, 0, 0, 3]] }),
        row({ api: 'torch.c', table: 'differs', status: 'differs', places: [[1, 0, 7, 0, 0, 3]] }),
    ]);
    const told = await inChromium('behaviour', made, TEXTS);
    assert.equal(told['error'], undefined);
    assert.deepEqual(told['tabs'], ['The convertible\n2', 'The differs\n1', 'The missing\n0', 'The possible\n0']);
    assert.deepEqual(told['first'], ['torch.b', 'torch.a']);
    assert.deepEqual(told['columns'], ['Column api', 'Column differs', 'Column fix', 'Column number']);
    assert.deepEqual(told['byName'], ['torch.a', 'torch.b']);
    assert.equal(told['order'], 'ascending');
    assert.equal(told['focused'], 'torch.b');
    assert.deepEqual(told['opened'], ['pkg/a.py', 'b.py']);
    assert.deepEqual(told['places'], ['10:5', '2:1', '5:3']);
    assert.deepEqual(told['messages'], [
        {
            type: 'open',
            uri: 'file:///pkg%2Fa.py',
            place: { range: { start: { line: 9, character: 4 }, end: { line: 9, character: 7 } } },
        },
        { type: 'explain', name: 'torch.b' },
        { type: 'export', format: 'sarif', choice: { search: '', file: '', status: '', fix: '' } },
        { type: 'scanAgain' },
    ]);
    assert.deepEqual(told['inFile'], ['torch.b']);
    assert.equal(told['about'], 'APIs: 1 of 2 · uses: 2 of 4');
    assert.equal(told['chosenTab'], 'differs');
    assert.deepEqual(told['restored'], ['torch.b']);
    assert.deepEqual(told['restoredOpen'], ['b.py']);
    assert.equal(told['restoredFile'], 'b.py');
    assert.deepEqual(told['cleared'], ['torch.a', 'torch.b']);
    assert.deepEqual(told['notices'], ['Stale', 'It failed']);
});

test('many results appear at once and can be looked through', { skip }, async (context) => {
    const measured = process.env['MINDPORT_TEST_RESULTS'];
    const many = measured === undefined ? manyResults() : (JSON.parse(readFileSync(measured, 'utf8')) as Results);
    const told = await inChromium('large', many, TEXTS);
    assert.equal(told['error'], undefined);
    const first = many.tables[0]?.rows ?? 0;
    assert.ok((told['rowsAtFirst'] as number) < first / 2, 'not all rows are made at once');
    assert.equal(told['rowsAtEnd'], first);
    assert.ok((told['control'] as number) >= 100, 'a page that is busy is noticed');
    context.diagnostic(`milliseconds: ${JSON.stringify(told)}`);
});

/** As many rows and uses as there are in a large project: 1,000 and 15,000. */
function manyResults(): Results {
    const files = Array.from({ length: 300 }, (_, at) => `package/${at % 3 === 0 ? 'layers' : 'models'}/module_${at}.py`);
    const rows = Array.from({ length: 1000 }, (_, at) =>
        row({
            api: `torch.nn.${at % 5 === 0 ? 'conv' : 'module'}_${at}`,
            table: at % 2 === 0 ? 'convertible' : 'differs',
            status: at % 2 === 0 ? 'equivalent' : 'differs',
            becomes: `mindspore.mint.nn.some_function_${at}`,
            versions: '≥ 2.3',
            devices: 'Ascend, CPU, GPU',
            differs: `\`parameter\` is called \`other_${at}\`. `.repeat(1 + (at % 4)),
            places: Array.from({ length: 5 }, (_, of) => [(at + of) % 300, 0, of, 0, 0, 9, of + 1, 4, 0, 9, of + 7, 4, 0, 9]),
        }),
    );
    return results(rows, files);
}
