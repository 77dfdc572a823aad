import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basePythons, environmentLaunchers, pathLaunchers, type Surroundings } from '../src/interpreter';
import { substitute, type Places } from '../src/substitute';

const places: Places = {
    platform: 'linux',
    home: '/home/li',
    workspaceFolder: '/work/project',
    workspaceFolders: { project: '/work/project', 模型: '/work/models' },
    environment: { TOOLS: '/opt/tools' },
};
const plain: Surroundings = {
    path: [],
    importStrategy: 'fromEnvironment',
    interpreter: [],
    activeEnvironment: undefined,
    places,
};
const onWindows: Surroundings = { ...plain, places: { ...places, platform: 'win32' } };

const spelled = (surroundings: Surroundings) =>
    environmentLaunchers(surroundings).map((launcher) => [launcher.command, ...launcher.args].join(' '));
const bases = (surroundings: Surroundings) => basePythons(surroundings).map((launcher) => launcher.command);

test('an interpreter that is set is the only thing tried', () => {
    const set = { ...plain, interpreter: [' /opt/python ', ''], activeEnvironment: '/venv/bin/python' };
    const only = {
        command: '/opt/python',
        args: ['-I', '-m', 'mindport'],
        origin: 'interpreterSetting',
        isInterpreter: true,
    };
    assert.deepEqual(environmentLaunchers(set), [only]);
    assert.deepEqual(basePythons(set), [only]);
});

test('the active environment comes before the PATH', () => {
    const active = { ...plain, activeEnvironment: '/venv/bin/python' };
    assert.deepEqual(spelled(active), [
        '/venv/bin/python -I -m mindport',
        'mindport',
        'python3 -I -m mindport',
        'python -I -m mindport',
    ]);
    assert.deepEqual(bases(active).slice(0, 4), ['/venv/bin/python', 'python3', 'python', 'python3.14']);
});

test('without the Python extension the PATH decides', () => {
    assert.deepEqual(spelled(plain), ['mindport', 'python3 -I -m mindport', 'python -I -m mindport']);
    assert.equal(bases(plain).at(-1), 'python3.10');
});

test('on Windows python comes before python3, and its launcher is known', () => {
    assert.deepEqual(spelled(onWindows), ['mindport', 'python -I -m mindport', 'python3 -I -m mindport']);
    assert.deepEqual(bases(onWindows), ['python', 'python3', 'py']);
});

test('a setting of blanks counts as empty', () => {
    assert.equal(environmentLaunchers({ ...plain, interpreter: ['  '] }).length, 3);
    assert.deepEqual(pathLaunchers({ ...plain, path: [' ', ''] }), []);
});

test('mindport.path names programs, not interpreters', () => {
    const [first, second] = pathLaunchers({ ...plain, path: ['${workspaceFolder}/bin/mindport', 'mindport'] });
    assert.deepEqual(first, {
        command: '/work/project/bin/mindport',
        args: [],
        origin: 'pathSetting',
        isInterpreter: false,
    });
    assert.equal(second?.command, 'mindport');
});

test('variables are filled in, literally', () => {
    assert.equal(substitute('~/py/bin/python', places), '/home/li/py/bin/python');
    assert.equal(substitute('${userHome}/python', { ...places, home: '/home/$&' }), '/home/$&/python');
    assert.equal(substitute('${workspaceFolder}/.venv/bin/python', places), '/work/project/.venv/bin/python');
    assert.equal(substitute('${workspaceFolder:模型}/python', places), '/work/models/python');
    assert.equal(substitute('${cwd}/python', places), '/work/project/python');
    assert.equal(substitute('${env:TOOLS}/python', places), '/opt/tools/python');
    assert.equal(substitute('${env:NONE}/python', places), '/python');
    assert.equal(substitute('/a/${unknown}/b', places), '/a/${unknown}/b');
    assert.equal(substitute('~other/python', { ...places, workspaceFolder: undefined }), '~other/python');
    assert.equal(substitute('~', { ...places, home: '/home/${env:TOOLS}' }), '/home/${env:TOOLS}');
});

test('a relative path starts at the workspace, a bare name is left to the PATH', () => {
    assert.equal(substitute('.venv/bin/python', places), '/work/project/.venv/bin/python');
    assert.equal(substitute('python3.12', places), 'python3.12');
    const windows: Places = { ...places, platform: 'win32', workspaceFolder: 'C:\\项目' };
    assert.equal(substitute('.venv\\Scripts\\python.exe', windows), 'C:\\项目\\.venv\\Scripts\\python.exe');
    assert.equal(substitute('D:\\py\\python.exe', windows), 'D:\\py\\python.exe');
});
