import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseBundled, chooseInstalled, chooseServer, mostTelling, type Failed, type Machine } from '../src/choose';
import type { Launcher, Surroundings } from '../src/interpreter';
import type { BasePython, Failure, Probe } from '../src/probe';

const launcher = (command: string): Launcher => ({ command, args: [], origin: 'path', isInterpreter: true });
const ready: Probe = { kind: 'ready', version: '0.1.0' };
const missing: Failure = { kind: 'commandMissing', detail: 'ENOENT' };
const absent: Failure = { kind: 'moduleMissing' };

const surroundings: Surroundings = {
    path: [],
    importStrategy: 'fromEnvironment',
    interpreter: [],
    activeEnvironment: '/venv/bin/python',
    places: { platform: 'linux', home: '/', workspaceFolder: '/w', workspaceFolders: {}, environment: {} },
};

const python = (executable: string, version = '3.11'): BasePython => ({ kind: 'python', executable, version, prefix: '/usr' });
const environment = (base: BasePython): Launcher => ({ ...launcher(`private ${base.version}`), origin: 'private' });

/** A machine that answers from tables, and notes in `done` what it was asked for. */
function machine(answers: {
    probe?: Record<string, Probe>;
    python?: Record<string, BasePython | Failure>;
    prepare?: Record<string, Launcher | Failure>;
}) {
    const done: string[] = [];
    const asked: Machine = {
        probe: async ({ command }) => (done.push(`probe ${command}`), answers.probe?.[command] ?? missing),
        askPython: async (command) => (done.push(`ask ${command}`), answers.python?.[command] ?? missing),
        prepare: async (base) => {
            done.push(`prepare ${base.version}`);
            return answers.prepare?.[base.version] ?? environment(base);
        },
        report: () => undefined,
    };
    return { done, asked };
}

test('the first that is ready is taken, later ones are not asked', async () => {
    const { done, asked } = machine({ probe: { one: absent, two: ready } });
    const choice = await chooseInstalled(['one', 'two', 'three'].map(launcher), asked);
    assert.deepEqual(choice, { found: true, launcher: launcher('two'), version: '0.1.0' });
    assert.deepEqual(done, ['probe one', 'probe two']);
});

test('the failure that helps most is shown, whatever the order', () => {
    const failed = (command: string, probe: Failure): Failed => ({ launcher: launcher(command), probe });
    const attempts = [failed('one', missing), failed('two', { kind: 'pythonTooOld', version: '3.9.1' })];
    assert.equal(mostTelling(attempts).launcher.command, 'two');
    attempts.push(failed('three', { kind: 'notBundled', version: '3.15' }));
    assert.equal(mostTelling(attempts).launcher.command, 'three');
    assert.equal(mostTelling([...attempts].reverse()).launcher.command, 'three');
});

test('programs of mindport.path are tried alone: if none starts, that is said', async () => {
    const { done, asked } = machine({ python: { '/venv/bin/python': python('/venv/bin/python') } });
    const choice = await chooseServer({ ...surroundings, path: ['/no/such', 'no-such'] }, asked);
    assert.equal(choice.found, false);
    assert.equal(!choice.found && choice.reason.launcher.origin, 'pathSetting');
    assert.deepEqual(done, ['probe /no/such', 'probe no-such']);
});

test('a mindport that is installed comes before the bundled one', async () => {
    const { done, asked } = machine({ probe: { '/venv/bin/python': ready } });
    const choice = await chooseServer(surroundings, asked);
    assert.equal(choice.found && choice.launcher.origin, 'pythonExtension');
    assert.deepEqual(done, ['probe /venv/bin/python']);
});

test('useBundled leaves an installed mindport alone', async () => {
    const { done, asked } = machine({
        probe: { '/venv/bin/python': ready, 'private 3.11': ready },
        python: { '/venv/bin/python': python('/venv/bin/python') },
    });
    const choice = await chooseServer({ ...surroundings, importStrategy: 'useBundled' }, asked);
    assert.equal(choice.found && choice.launcher.command, 'private 3.11');
    assert.deepEqual(done, ['ask /venv/bin/python', 'prepare 3.11', 'probe private 3.11']);
});

test('without an installed mindport the bundled one is used', async () => {
    const { asked } = machine({
        probe: { '/venv/bin/python': absent, 'private 3.11': ready },
        python: { '/venv/bin/python': python('/venv/bin/python') },
    });
    const choice = await chooseServer(surroundings, asked);
    assert.equal(choice.found && choice.launcher.origin, 'private');
    assert.equal(choice.found && choice.basePrefix, '/usr');
});

test('an interpreter that is set and cannot be used is told, and no other is taken', async () => {
    const old: Failure = { kind: 'pythonTooOld', version: '3.8.1' };
    const { done, asked } = machine({
        probe: { '/old': old, mindport: ready },
        python: { '/old': old, python3: python('/usr/bin/python3') },
    });
    const choice = await chooseServer({ ...surroundings, interpreter: ['/old'] }, asked);
    assert.deepEqual(!choice.found && choice.reason.probe, old);
    assert.deepEqual(done, ['probe /old', 'ask /old']);
});

test('another Python is tried where the bundle has nothing for the first, each version once', async () => {
    const lacking: Failure = { kind: 'notBundled', version: '3.15' };
    const { done, asked } = machine({
        probe: { 'private 3.12': ready },
        python: { one: python('/one', '3.15'), two: python('/two', '3.15'), three: python('/three', '3.12') },
        prepare: { '3.15': lacking },
    });
    const choice = await chooseBundled(['one', 'two', 'three'].map(launcher), asked);
    assert.equal(choice.found && choice.launcher.command, 'private 3.12');
    assert.deepEqual(done.filter((each) => each.startsWith('prepare')), ['prepare 3.15', 'prepare 3.12']);
});

test('cancelling ends the search', async () => {
    const { done, asked } = machine({
        python: { one: python('/one'), two: python('/two', '3.12') },
        prepare: { '3.11': { kind: 'cancelled' } },
    });
    const choice = await chooseBundled(['one', 'two'].map(launcher), asked);
    assert.deepEqual(!choice.found && choice.reason.probe, { kind: 'cancelled' });
    assert.deepEqual(done, ['ask one', 'prepare 3.11']);
});
