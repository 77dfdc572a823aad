import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, withLinksToPages } from '../src/ruleLinks';

const WEB = 'https://example.org/mindport/blob/main/docs/rules';

test('the address of a rule in either language means its page', () => {
    assert.equal(pageOf(`${WEB}/MP201.md`), 'MP201.md');
    assert.equal(pageOf(`${WEB}/zh-cn/MP301.md`), 'zh-cn/MP301.md');
});

test('no other address means a page, least of all one outside the pages', () => {
    for (const address of [WEB, `${WEB}/README.md`, `${WEB}/../MP201.md`, `${WEB}/MP201.md#a`, 'MP201.md', '']) {
        assert.equal(pageOf(address), undefined);
    }
});

test('links of a hover to pages of rules run the command, others stay', () => {
    const text = `a [MP201](${WEB}/zh-cn/MP201.md) b [docs](https://example.org/docs/rules/x) [c](command:evil)`;
    assert.equal(
        withLinksToPages(text, 'mindport.showRule'),
        'a [MP201](command:mindport.showRule?%5B%22zh-cn%2FMP201.md%22%5D) b ' +
            '[docs](https://example.org/docs/rules/x) [c](command:evil)',
    );
});
