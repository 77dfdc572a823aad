import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Updates } from '../src/updates';

/** Updates whose time and looks the test decides on. */
class Bench {
    readonly looks: (readonly string[] | undefined)[] = [];
    private waiting: (() => void) | undefined;
    private endLook: (() => void) | undefined;
    readonly updates = new Updates(
        (callback) => {
            this.waiting = callback;
            return () => (this.waiting = undefined);
        },
        (uris) => {
            this.looks.push(uris);
            return new Promise((resolve) => (this.endLook = resolve));
        },
    );

    /** It has been quiet for long enough. Returns whether anything waited for that. */
    quiet(): boolean {
        const callback = this.waiting;
        this.waiting = undefined;
        callback?.();
        return callback !== undefined;
    }

    /** The look that goes on ends. */
    async end(): Promise<void> {
        this.endLook?.();
        await new Promise((resolve) => setImmediate(resolve));
    }
}

test('documents that change together are looked at together, once', async () => {
    const bench = new Bench();
    bench.updates.one('a');
    bench.updates.one('b');
    bench.updates.one('a');
    assert.ok(bench.quiet());
    await bench.end();
    assert.deepEqual(bench.looks, [['a', 'b']]);
    assert.equal(bench.quiet(), false);
});

test('if anything may have changed, everything is looked at', async () => {
    const bench = new Bench();
    bench.updates.one('a');
    bench.updates.all();
    bench.quiet();
    await bench.end();
    assert.deepEqual(bench.looks, [undefined]);
});

test('what changes during a look is looked at after it', async () => {
    const bench = new Bench();
    bench.updates.all();
    bench.quiet();
    bench.updates.one('a');
    bench.quiet();
    assert.deepEqual(bench.looks, [undefined]);
    await bench.end();
    assert.ok(bench.quiet());
    await bench.end();
    assert.deepEqual(bench.looks, [undefined, ['a']]);
});

test('nothing is looked at after the end', async () => {
    const bench = new Bench();
    bench.updates.one('a');
    bench.updates.dispose();
    assert.equal(bench.quiet(), false);
    assert.deepEqual(bench.looks, []);
});
