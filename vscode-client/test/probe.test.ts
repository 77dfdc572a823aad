import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import type { Launcher } from '../src/interpreter';
import { askPython, interpretAnswer, isOlder, parseVersion, probe } from '../src/probe';
import { runProcess, type ProcessResult } from '../src/processes';

const python: Launcher = { command: 'python3', args: ['-I', '-m', 'mindport'], origin: 'path', isInterpreter: true };
const script: Launcher = { command: 'mindport', args: [], origin: 'path', isInterpreter: false };

function result(change: Partial<ProcessResult>): ProcessResult {
    return { startError: undefined, timedOut: false, exitCode: 0, stdout: '', stderr: '', ...change };
}

/** A `run` that answers from a list and notes what it was asked. */
function scripted(...results: ProcessResult[]) {
    const asked: string[][] = [];
    const run = (command: string, args: readonly string[]) => {
        asked.push([command, ...args]);
        const next = results.shift();
        return next === undefined ? Promise.reject(new Error('asked too often')) : Promise.resolve(next);
    };
    return { asked, run };
}

test('a version makes it ready', async () => {
    const { asked, run } = scripted(result({ stdout: 'mindport 0.1.0\r\n' }));
    assert.deepEqual(await probe(python, run), { kind: 'ready', version: '0.1.0' });
    assert.deepEqual(asked, [['python3', '-I', '-m', 'mindport', '--version']]);
});

test('a command that cannot be started is missing', async () => {
    const { run } = scripted(result({ startError: 'ENOENT', exitCode: undefined }));
    assert.deepEqual(await probe(script, run), { kind: 'commandMissing', detail: 'ENOENT' });
});

test('the pointer to the Windows store is no Python', () => {
    const answer = interpretAnswer(result({ exitCode: 9009, stderr: 'Python was not found; run without arguments' }));
    assert.equal(answer.kind, 'commandMissing');
});

test('an interpreter without the package', async () => {
    const failure = result({ exitCode: 1, stderr: '/usr/bin/python3: No module named mindport\n' });
    const { asked, run } = scripted(failure, result({ stdout: '3.12.1\n/usr/bin/python3\n' }));
    assert.deepEqual(await probe(python, run), { kind: 'moduleMissing' });
    assert.equal(asked.length, 2);
});

test('a Python that is too old is named as such, whether or not the package is there', async () => {
    for (const stderr of ['python: No module named mindport', 'SyntaxError: invalid syntax']) {
        const { run } = scripted(result({ exitCode: 1, stderr }), result({ stdout: '3.9.18\n' }));
        assert.deepEqual(await probe(python, run), { kind: 'pythonTooOld', version: '3.9.18' });
    }
});

test('a missing dependency of mindport is not taken for a missing mindport', async () => {
    const stderr = 'Traceback (most recent call last):\n  ...\nModuleNotFoundError: No module named \'pygls\'\n';
    const { run } = scripted(result({ exitCode: 1, stderr }), result({ stdout: '3.11.2' }));
    const answer = await probe(python, run);
    assert.equal(answer.kind, 'failed');
    assert.match(answer.kind === 'failed' ? answer.detail : '', /No module named 'pygls'/);
    const submodule = result({ exitCode: 1, stderr: "ModuleNotFoundError: No module named 'mindport.lsp'" });
    assert.equal(interpretAnswer(submodule).kind, 'failed');
});

test('an interpreter says who it is', async () => {
    const { asked, run } = scripted(result({ stdout: '3.12.1\r\n/usr/bin/python3.12\r\n/usr\r\n' }));
    const python = { kind: 'python', executable: '/usr/bin/python3.12', version: '3.12', prefix: '/usr' };
    assert.deepEqual(await askPython('python3', run), python);
    assert.deepEqual(asked[0]?.slice(0, 3), ['python3', '-I', '-c']);
});

test('what is no usable Python is told apart', async () => {
    const kindOf = async (change: Partial<ProcessResult>) =>
        (await askPython('python3', scripted(result(change)).run)).kind;
    assert.equal(await kindOf({ startError: 'ENOENT', exitCode: undefined }), 'commandMissing');
    assert.equal(await kindOf({ exitCode: 127, stderr: 'pyenv: python3.12: command not found' }), 'commandMissing');
    assert.equal(await kindOf({ stdout: '3.9.18\n/usr/bin/python3\n' }), 'pythonTooOld');
    assert.equal(await kindOf({ stdout: 'hello' }), 'failed');
    assert.equal(await kindOf({ timedOut: true, exitCode: undefined }), 'timedOut');
});

test('the script on the PATH is not asked for a Python version', async () => {
    const { asked, run } = scripted(result({ exitCode: 3, stdout: 'broken' }));
    assert.deepEqual(await probe(script, run), { kind: 'failed', detail: 'broken' });
    assert.equal(asked.length, 1);
});

test('an old server, a silent one, a slow one', () => {
    assert.deepEqual(interpretAnswer(result({ stdout: 'mindport 0.0.9' })), { kind: 'serverTooOld', version: '0.0.9' });
    assert.deepEqual(interpretAnswer(result({ stdout: 'hello' })), { kind: 'failed', detail: 'hello' });
    assert.deepEqual(interpretAnswer(result({ timedOut: true, exitCode: undefined })), { kind: 'timedOut' });
    assert.deepEqual(interpretAnswer(result({ exitCode: 7 })), { kind: 'failed', detail: 'exit code 7' });
});

test('versions are compared part by part as numbers', () => {
    assert.equal(isOlder([3, 9, 18], [3, 10, 0]), true);
    assert.equal(isOlder([3, 10, 0], [3, 10, 0]), false);
    assert.equal(isOlder([4, 0, 0], [3, 10, 0]), false);
    assert.deepEqual(parseVersion('mindport 1.12'), [1, 12, 0]);
    assert.deepEqual(parseVersion('0.2.0.dev1'), [0, 2, 0]);
    assert.equal(parseVersion('no version'), undefined);
});

test('a process is run without a shell, in the folder given', async () => {
    const folder = realpathSync(tmpdir());
    const program = 'console.log(process.cwd()); console.log(process.argv[1])';
    const answer = await runProcess(process.execPath, ['-e', program, '$HOME "x" 中文'], folder);
    assert.equal(answer.exitCode, 0);
    assert.deepEqual(answer.stdout.trim().split(/\r?\n/), [folder, '$HOME "x" 中文']);
});

test('a process that cannot start, fails, or takes too long', async () => {
    assert.equal((await runProcess('/no/such/python', [], '/')).startError, 'ENOENT');
    const failing = await runProcess(process.execPath, ['-e', 'console.error("bad"); process.exit(4)'], '/');
    assert.deepEqual([failing.exitCode, failing.stderr.trim()], [4, 'bad']);
    const slow = await runProcess(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], '/', { timeLimit: 300 });
    assert.equal(slow.timedOut, true);
});

test('a process that is given up is killed', async () => {
    const giving = new AbortController();
    const waiting = runProcess(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], '/', { signal: giving.signal });
    giving.abort();
    assert.notEqual((await waiting).exitCode, 0);
});

const realPython = process.env['MINDPORT_TEST_PYTHON'];
test('the real server is ready', { skip: realPython === undefined }, async () => {
    const launcher: Launcher = { ...python, command: realPython ?? '' };
    const answer = await probe(launcher, (command, args) => runProcess(command, args, tmpdir()));
    assert.equal(answer.kind, 'ready', JSON.stringify(answer));
});
