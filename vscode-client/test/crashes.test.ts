import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrashCounter } from '../src/crashes';

test('four crashes are forgiven, a fifth within three minutes is not', () => {
    const crashes = new CrashCounter();
    const answers = [0, 1000, 2000, 3000, 4000].map((time) => crashes.mayRestart(time));
    assert.deepEqual(answers, [true, true, true, true, false]);
});

test('crashes far apart are always forgiven', () => {
    const crashes = new CrashCounter();
    for (let minute = 0; minute < 60; minute++) {
        assert.equal(crashes.mayRestart(minute * 60_000), true);
    }
});
