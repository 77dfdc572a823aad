import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkCounter } from '../src/serverState';

test('there is work from the first beginning to the last end', () => {
    const work = new WorkCounter();
    const changed = [
        work.note('one', 'begin'),
        work.note(2, 'begin'),
        work.note('one', 'report'),
        work.note('one', 'end'),
        work.isBusy,
        work.note(2, 'end'),
        work.isBusy,
        work.note('unknown', 'end'),
    ];
    assert.deepEqual(changed, [true, false, false, false, true, true, false, false]);
});

test('a server that is gone has no work', () => {
    const work = new WorkCounter();
    work.note('one', 'begin');
    work.clear();
    assert.equal(work.isBusy, false);
});
