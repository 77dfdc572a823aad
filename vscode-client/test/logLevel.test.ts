import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLogged, messageLine } from '../src/logLevel';

test('a level holds what is graver', () => {
    assert.deepEqual(
        (['error', 'warning', 'info', 'debug'] as const).map((level) => isLogged(level, 'warning')),
        [true, true, false, false],
    );
    assert.ok(isLogged('debug', 'debug'));
});

test('a message of the protocol is a line that can be read', () => {
    const document = { textDocument: { uri: 'file:///a/%E6%A8%A1%E5%9E%8B.py' }, position: { line: 1 } };
    assert.equal(messageLine('→', 'textDocument/hover', document, 12), '→ textDocument/hover 模型.py 12 ms');
    const command = { command: 'mindport.target', arguments: [] };
    assert.equal(messageLine('→', 'workspace/executeCommand', command, 3), '→ workspace/executeCommand mindport.target 3 ms');
    assert.equal(messageLine('←', 'textDocument/publishDiagnostics', { uri: 'file:///a.py' }), '← textDocument/publishDiagnostics a.py');
    assert.equal(messageLine('→', 'shutdown', undefined), '→ shutdown');
});
