// The settings the server is given. No `vscode` here.

export type SettingValue = string | boolean | number | readonly string[] | Readonly<Record<string, string>>;

/** The names of the settings that the server reads; the others are this extension's own. */
export const SERVER_SETTINGS = [
    'target',
    'device',
    'style',
    'language',
    'select',
    'ignore',
    'severity',
    'show',
    'graphMode',
    'features',
    'exclude',
    'diagnostics',
    'completion',
    'python',
    'limit',
] as const;

/** Reads what the user set for a name; undefined where only the default stands. */
export type ReadSetting = (name: string) => SettingValue | undefined;

/**
 * Only what the user set is sent, so that `[tool.mindport]` in pyproject.toml can speak where the user did
 * not. The language follows the editor unless it is set.
 */
export function settingsForServer(read: ReadSetting, displayLanguage: string): Record<string, SettingValue> {
    const settings: Record<string, SettingValue> = {};
    for (const name of SERVER_SETTINGS) {
        const value = read(name);
        if (value !== undefined && value !== '') {
            settings[name] = value;
        }
    }
    settings['language'] ??= languageOf(displayLanguage);
    return settings;
}

/** The server's language for a display language of the editor such as `en`, `de` or `zh-tw`. */
export function languageOf(displayLanguage: string): 'en' | 'zh-cn' {
    return displayLanguage.toLowerCase().startsWith('zh') ? 'zh-cn' : 'en';
}
