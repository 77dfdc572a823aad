import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Launcher } from '../src/interpreter';
import { PrivateEnvironments, type InstallRequest } from '../src/privateEnvironment';
import { askPython, type BasePython, type Failure } from '../src/probe';
import { runProcess, type ProcessResult, type Run } from '../src/processes';

const python: BasePython = { kind: 'python', executable: '/usr/bin/python3', version: '3.11', prefix: '/usr' };
const good: ProcessResult = { startError: undefined, timedOut: false, exitCode: 0, stdout: '', stderr: '' };
const WEEK = 7 * 24 * 3600 * 1000;

/** A root with a bundle, and a `run` that makes environments as venv and pip do. */
function setUp(t: { after(action: () => void): void }, pip: Partial<ProcessResult> = {}) {
    const base = mkdtempSync(join(tmpdir(), 'mindport-test-'));
    t.after(() => rmSync(base, { recursive: true, force: true }));
    const root = join(base, 'environments');
    const wheels = join(base, 'wheels');
    mkdirSync(wheels);
    for (const name of ['wheels.json', 'pip-26.0-py3-none-any.whl', 'mindport-0.1.0-py3-none-any.whl']) {
        writeFileSync(join(wheels, name), name);
    }
    const commands: string[] = [];
    const run: Run = async (command, args) => {
        commands.push([command, ...args].join(' '));
        if (args.includes('venv')) {
            for (const file of ['bin/python', 'lib/package.py']) {
                const made = join(args.at(-1) ?? '', file);
                mkdirSync(dirname(made), { recursive: true });
                writeFileSync(made, '');
            }
            return good;
        }
        if (args.includes('install')) {
            return { ...good, ...pip };
        }
        return existsSync(command)
            ? { ...good, stdout: 'mindport 0.1.0' }
            : { ...good, startError: 'ENOENT', exitCode: undefined };
    };
    const environments = new PrivateEnvironments(root, wheels, '0.1.0', 'linux', run);
    return { root, wheels, commands, environments, run };
}

function request(change: Partial<InstallRequest> = {}): InstallRequest {
    return { python, mayDownload: false, signal: new AbortController().signal, onStep: () => undefined, ...change };
}

function launcherOf(made: Launcher | Failure): Launcher {
    assert.ok(!('kind' in made), JSON.stringify(made));
    return made;
}

test('an environment is made once, and found again', async (t) => {
    const { root, commands, environments } = setUp(t);
    assert.equal(await environments.find(python), undefined);
    const steps: string[] = [];
    const launcher = launcherOf(await environments.make(request({ onStep: (step) => steps.push(step) })));
    assert.deepEqual(steps, ['create', 'install', 'check']);
    assert.match(launcher.command, /environments\/0\.1\.0-py3\.11-[0-9a-f]{8}\/bin\/python$/);
    assert.deepEqual(launcher.args, ['-I', '-m', 'mindport']);
    assert.deepEqual(await environments.find(python), launcher);
    assert.equal(await environments.find({ ...python, version: '3.12' }), undefined);
    assert.equal(readdirSync(root).length, 1, 'nothing unfinished is left');
    assert.match(commands[0] ?? '', /^\/usr\/bin\/python3 -I -m venv --clear --without-pip .*\.unfinished-/);
});

test('without leave to download neither an index nor settings of pip are used', async (t) => {
    const { commands, environments } = setUp(t);
    await environments.make(request());
    await environments.make(request({ mayDownload: true }));
    const [offline = '', online = ''] = commands.filter((command) => command.includes(' install '));
    assert.match(offline, /--isolated --no-index --find-links/);
    assert.doesNotMatch(online, /--no-index|--isolated/);
    assert.match(online, /--only-binary :all: --find-links .*mindport-0\.1\.0-py3-none-any\.whl$/);
});

test('the server compiled for this Python is installed, and the pure one where that fails', async (t) => {
    const { wheels, commands, environments, run } = setUp(t);
    for (const tag of ['cp311-cp311', 'cp314-cp314', 'cp314-cp314t']) {
        writeFileSync(join(wheels, `mindport_compiled-0.1.0-${tag}-manylinux_2_28_x86_64.whl`), '');
    }
    const installed = () =>
        commands
            .filter((command) => command.includes(' install '))
            .map((command) => command.replaceAll(`${wheels}/`, '').split(`${wheels} `).at(-1));
    await environments.make(request());
    const pure = 'mindport-0.1.0-py3-none-any.whl';
    const compiled = (tag: string) => `${pure} mindport_compiled-0.1.0-${tag}-manylinux_2_28_x86_64.whl`;
    assert.deepEqual(installed(), [compiled('cp311-cp311')]);
    await environments.make(request({ python: { ...python, version: '3.12' } }));
    assert.equal(installed().at(-1), pure, 'there is none for 3.12');
    const refusing: Run = async (command, args, options) => {
        const done = await run(command, args, options);
        const isRefused = args.at(-1)?.includes('manylinux') === true;
        return isRefused ? { ...done, exitCode: 1, stderr: 'ERROR: not a supported wheel on this platform.' } : done;
    };
    const elsewhere = new PrivateEnvironments(join(wheels, '..', 'elsewhere'), wheels, '0.1.0', 'linux', refusing);
    launcherOf(await elsewhere.make(request({ python: { ...python, version: '3.14' } })));
    assert.deepEqual(installed().slice(-2), [compiled('cp314-cp314'), pure]);
});

test('a package without wheels is known as such', async (t) => {
    const { wheels, environments } = setUp(t);
    assert.equal(await environments.hasBundle(), true);
    rmSync(wheels, { recursive: true });
    assert.equal(await environments.hasBundle(), false);
});

test('another bundle takes another environment', async (t) => {
    const { wheels, environments } = setUp(t);
    await environments.make(request());
    writeFileSync(join(wheels, 'wheels.json'), 'other wheels');
    assert.equal(await environments.find(python), undefined);
});

test('a failure leaves nothing behind, and says what is the matter', async (t) => {
    const lacking = setUp(t, { exitCode: 1, stderr: 'ERROR: No matching distribution found for pydantic-core' });
    const answer = await lacking.environments.make(request());
    assert.deepEqual(answer, { kind: 'notBundled', version: '3.11' });
    assert.deepEqual(readdirSync(lacking.root), []);
    const full = setUp(t, { exitCode: 1, stderr: 'OSError: No space left on device' });
    const failure = await full.environments.make(request());
    assert.deepEqual(failure, { kind: 'installFailed', detail: 'OSError: No space left on device' });
    assert.deepEqual(readdirSync(full.root), []);
});

test('cancelling leaves what was there before', async (t) => {
    const { root, wheels, environments, run } = setUp(t);
    const launcher = launcherOf(await environments.make(request()));
    const cancelling = new AbortController();
    const cancelled: Run = (command, args, options) => {
        if (args.includes('install')) {
            cancelling.abort();
            return Promise.resolve({ ...good, exitCode: undefined });
        }
        return run(command, args, options);
    };
    const again = new PrivateEnvironments(root, wheels, '0.1.0', 'linux', cancelled);
    assert.deepEqual(await again.make(request({ signal: cancelling.signal })), { kind: 'cancelled' });
    assert.deepEqual(await environments.find(python), launcher);
    assert.equal(readdirSync(root).length, 1);
});

test('a broken environment is not found, and is made anew', async (t) => {
    const { environments } = setUp(t);
    const { command } = launcherOf(await environments.make(request()));
    rmSync(command);
    assert.equal(await environments.find(python), undefined);
    assert.equal(launcherOf(await environments.make(request())).command, command);
});

test('an environment that answers but lacks a file is broken', async (t) => {
    const { root, environments } = setUp(t);
    await environments.make(request());
    const folder = join(root, readdirSync(root)[0] ?? '');
    mkdirSync(join(folder, 'lib', '__pycache__'), { recursive: true });
    assert.ok(await environments.find(python), 'what Python adds does no harm');
    rmSync(join(folder, 'lib', 'package.py'));
    assert.equal(await environments.find(python), undefined);
});

test('only an environment of this extension is removed', async (t) => {
    const { root, environments } = setUp(t);
    const launcher = launcherOf(await environments.make(request()));
    await environments.remove({ ...launcher, command: join(root, '..', 'wheels', 'bin', 'python') });
    assert.ok(existsSync(join(root, '..', 'wheels', 'wheels.json')));
    await environments.remove(launcher);
    assert.deepEqual(readdirSync(root), []);
});

test('old environments go, those in use stay', async (t) => {
    const { root, environments } = setUp(t);
    await environments.make(request());
    const now = Date.now();
    const place = (name: string, age: number) => {
        mkdirSync(join(root, name));
        writeFileSync(join(root, name, 'last-start'), '');
        for (const file of [join(root, name, 'last-start'), join(root, name)]) {
            utimesSync(file, new Date(now - age), new Date(now - age));
        }
    };
    place('0.0.8-py3.11-00000000', WEEK + 1000);
    place('0.0.9-py3.11-00000000', 1000);
    place('.unfinished-old', WEEK);
    place('.unfinished-new', 1000);
    await environments.removeOld(now);
    const left = readdirSync(root).sort();
    assert.deepEqual(left.slice(0, 2), ['.unfinished-new', '0.0.9-py3.11-00000000']);
    assert.equal(left.length, 3);
});

const bundle = process.env['MINDPORT_TEST_WHEELS'];
test('a real environment from the bundle', { skip: bundle === undefined }, async () => {
    const run: Run = (command, args, options) => runProcess(command, args, tmpdir(), options);
    const base = await askPython(process.env['MINDPORT_TEST_PYTHON'] ?? '', run);
    assert.ok(base.kind === 'python', JSON.stringify(base));
    const root = process.env['MINDPORT_TEST_ENVIRONMENTS'] ?? '';
    const environments = new PrivateEnvironments(root, bundle ?? '', '0.1.0', process.platform, run);
    const launcher = launcherOf(await environments.make(request({ python: base })));
    assert.deepEqual(await environments.find(base), launcher);
    writeFileSync(join(root, 'launcher.json'), JSON.stringify([launcher.command, ...launcher.args]));
});
