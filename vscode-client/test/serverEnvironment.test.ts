import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverEnvironment } from '../src/serverEnvironment';

test('the active environment is where the packages of the project are', () => {
    const inherited = { PATH: '/bin', VIRTUAL_ENV: '/old', CONDA_PREFIX: '/conda' };
    assert.deepEqual(serverEnvironment(inherited, '/venv', '/usr'), { ...inherited, VIRTUAL_ENV: '/venv' });
});

test('what was activated before the editor was started comes before the Python of the private environment', () => {
    const inherited = { CONDA_PREFIX: '/conda' };
    assert.equal(serverEnvironment(inherited, undefined, '/usr'), inherited);
    assert.deepEqual(serverEnvironment({ PATH: '/bin' }, undefined, '/usr'), { PATH: '/bin', VIRTUAL_ENV: '/usr' });
    assert.deepEqual(serverEnvironment({ PATH: '/bin' }, undefined, undefined), { PATH: '/bin' });
});
