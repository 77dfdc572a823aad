import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageOf, settingsForServer, SERVER_SETTINGS, type SettingValue } from '../src/settingsForServer';

const from = (values: Record<string, SettingValue>) => (name: string) => values[name];

test('only what the user set is sent, and the language follows the editor', () => {
    assert.deepEqual(settingsForServer(from({ device: 'cpu', ignore: ['MP1'] }), 'en'), {
        device: 'cpu',
        ignore: ['MP1'],
        language: 'en',
    });
});

test('a language that is set stands', () => {
    assert.equal(settingsForServer(from({ language: 'en' }), 'zh-cn')['language'], 'en');
    assert.equal(settingsForServer(from({ language: '' }), 'zh-cn')['language'], 'zh-cn');
});

test('an empty list is a choice, an empty text is none', () => {
    assert.deepEqual(settingsForServer(from({ select: [], target: '' }), 'en'), { select: [], language: 'en' });
});

test("the extension's own settings stay here", () => {
    assert.equal((SERVER_SETTINGS as readonly string[]).includes('interpreter'), false);
    assert.deepEqual(settingsForServer(from({ interpreter: '/usr/bin/python' }), 'en'), { language: 'en' });
});

test('every kind of Chinese is answered in Chinese, everything else in English', () => {
    assert.deepEqual(['zh-cn', 'zh-TW', 'en', 'de', 'en-gb'].map(languageOf), ['zh-cn', 'zh-cn', 'en', 'en', 'en']);
});
