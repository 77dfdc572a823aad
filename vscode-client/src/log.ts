// The output, as much of it as the setting `mindport.logLevel` asks for.

import * as vscode from 'vscode';
import { isLogged, type Level } from './logLevel';

/** How much is logged, now. */
export function logLevel(): Level {
    return vscode.workspace.getConfiguration('mindport').get<Level>('logLevel', 'info');
}

/** The same output, without what the user does not want to see of it. */
export function leveled(output: vscode.LogOutputChannel): vscode.LogOutputChannel {
    const only = (level: Level, write: (message: string, ...rest: unknown[]) => void) => {
        return (message: string | Error, ...rest: unknown[]) => {
            if (isLogged(level, logLevel())) {
                write(String(message), ...rest);
            }
        };
    };
    const written: Partial<Record<PropertyKey, unknown>> = {
        error: only('error', output.error.bind(output)),
        warn: only('warning', output.warn.bind(output)),
        info: only('info', output.info.bind(output)),
        // The output has a level of its own, by which VS Code would leave this out.
        debug: only('debug', output.info.bind(output)),
    };
    return new Proxy(output, {
        get: (target, name) => {
            const own: unknown = written[name] ?? Reflect.get(target, name);
            return typeof own === 'function' ? own.bind(target) : own;
        },
    });
}
