import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasMoreToReview, queryOf, textOf } from '../src/conversionPreview';

test('the address of a converted text leads back to it', () => {
    for (const uri of ['file:///home/me/a.py', 'file:///c%3A/%E6%A8%A1%E5%9E%8B%20%26%20x.py?a=b#c']) {
        const text = { preview: '5d41', uri };
        assert.deepEqual(textOf(queryOf(text)), text);
        assert.deepEqual(textOf(queryOf({ ...text, before: true })), { ...text, before: true });
    }
    assert.deepEqual(textOf(''), { preview: '', uri: '' });
});

test('there is more to review only where findings are left to review', () => {
    const preview = { preview: 'x', files: [], text: '', problems: [] };
    assert.equal(hasMoreToReview({ ...preview, outcomes: { proven: 1, review: 2 } }), true);
    assert.equal(hasMoreToReview({ ...preview, outcomes: { proven: 1, missing: 2 } }), false);
});
