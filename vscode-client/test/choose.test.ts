import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, mostTelling, type Attempt } from '../src/choose';
import type { Launcher } from '../src/interpreter';
import type { Probe } from '../src/probe';

const launcher = (command: string): Launcher => ({ command, args: [], origin: 'path', isInterpreter: true });
const attempt = (command: string, probe: Probe): Attempt => ({ launcher: launcher(command), probe });

const missing: Probe = { kind: 'commandMissing', detail: 'ENOENT' };
const ready: Probe = { kind: 'ready', version: '0.1.0' };

test('the first that is ready wins, and the rest is not asked', async () => {
    const answers: Record<string, Probe> = { a: { kind: 'moduleMissing' }, b: ready };
    const reported: string[] = [];
    const choice = await choose(
        ['a', 'b', 'c'].map(launcher),
        (asked) => Promise.resolve(answers[asked.command] ?? assert.fail('c was asked')),
        (tried) => reported.push(`${tried.launcher.command} ${tried.probe.kind}`),
    );
    assert.deepEqual(choice, { found: true, launcher: launcher('b'), version: '0.1.0' });
    assert.deepEqual(reported, ['a moduleMissing', 'b ready']);
});

test('without any, the most telling failure is the reason', async () => {
    const answers: Record<string, Probe> = { a: missing, b: { kind: 'moduleMissing' }, c: missing };
    const choice = await choose(
        ['a', 'b', 'c'].map(launcher),
        (asked) => Promise.resolve(answers[asked.command] ?? missing),
        () => undefined,
    );
    assert.deepEqual(choice, { found: false, reason: attempt('b', { kind: 'moduleMissing' }) });
});

test('a broken mindport tells more than an interpreter without one', () => {
    const broken = attempt('mindport', { kind: 'failed', detail: 'Traceback' });
    assert.equal(mostTelling([attempt('python', { kind: 'moduleMissing' }), broken]), broken);
});

test('among equals the first tried is told', () => {
    const first = attempt('/venv/bin/python', { kind: 'moduleMissing' });
    assert.equal(mostTelling([first, attempt('python3', { kind: 'moduleMissing' })]), first);
});
