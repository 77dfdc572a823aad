import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LatestOnly } from '../src/latestOnly';

test('an answer that is overtaken is dropped, whichever comes first', async () => {
    const newest = new LatestOnly();
    let answerFirst: (text: string) => void = () => undefined;
    const first = newest.run(() => new Promise<string>((resolve) => (answerFirst = resolve)));
    assert.equal(await newest.run(() => Promise.resolve('second')), 'second');
    answerFirst('first');
    assert.equal(await first, undefined);
});

test('a failure counts only if it is the newest', async () => {
    const newest = new LatestOnly();
    const fails = () => Promise.reject(new Error('no'));
    const first = newest.run(fails);
    const second = newest.run(fails);
    assert.equal(await first, undefined);
    await assert.rejects(second, /no/);
});
