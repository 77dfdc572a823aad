import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expand, launchers, type Surroundings } from '../src/interpreter';

const plain: Surroundings = {
    setting: '',
    activeEnvironment: undefined,
    platform: 'linux',
    home: '/home/li',
    workspaceFolder: '/work/project',
};

const spelled = (surroundings: Surroundings) =>
    launchers(surroundings).map((launcher) => [launcher.command, ...launcher.args].join(' '));

test('a setting is the only thing tried', () => {
    const found = launchers({ ...plain, setting: ' /opt/python ', activeEnvironment: '/venv/bin/python' });
    assert.deepEqual(found, [
        { command: '/opt/python', args: ['-m', 'mindport'], origin: 'setting', isInterpreter: true },
    ]);
});

test('the active environment comes before the PATH', () => {
    assert.deepEqual(spelled({ ...plain, activeEnvironment: '/venv/bin/python' }), [
        '/venv/bin/python -m mindport',
        'mindport',
        'python3 -m mindport',
        'python -m mindport',
    ]);
});

test('without the Python extension the PATH decides', () => {
    assert.deepEqual(spelled(plain), ['mindport', 'python3 -m mindport', 'python -m mindport']);
});

test('on Windows python comes before python3', () => {
    assert.deepEqual(spelled({ ...plain, platform: 'win32' }), [
        'mindport',
        'python -m mindport',
        'python3 -m mindport',
    ]);
});

test('a setting of blanks counts as empty', () => {
    assert.equal(launchers({ ...plain, setting: '  ' }).length, 3);
});

test('home and workspace are filled in, literally', () => {
    assert.equal(expand('~/py/bin/python', plain), '/home/li/py/bin/python');
    assert.equal(expand('${userHome}/python', { ...plain, home: '/home/$&' }), '/home/$&/python');
    assert.equal(expand('${workspaceFolder}/.venv/bin/python', plain), '/work/project/.venv/bin/python');
    assert.equal(expand('~other/python', { ...plain, workspaceFolder: undefined }), '~other/python');
});

test('a relative path starts at the workspace, a bare name is left to the PATH', () => {
    assert.equal(expand('.venv/bin/python', plain), '/work/project/.venv/bin/python');
    assert.equal(expand('python3.12', plain), 'python3.12');
    const windows: Surroundings = { ...plain, platform: 'win32', workspaceFolder: 'C:\\项目' };
    assert.equal(expand('.venv\\Scripts\\python.exe', windows), 'C:\\项目\\.venv\\Scripts\\python.exe');
    assert.equal(expand('D:\\py\\python.exe', windows), 'D:\\py\\python.exe');
});
