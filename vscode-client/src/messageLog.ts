// Messages of the protocol in the log, a line for each, where the user wants to see them.

import type { LogOutputChannel } from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { logLevel } from './log';
import { messageLine } from './logLevel';

export function messageLog(output: LogOutputChannel): Middleware {
    return {
        sendRequest: async (type, params, token, next) => {
            if (logLevel() !== 'debug') {
                return next(type, params, token);
            }
            const began = Date.now();
            try {
                return await next(type, params, token);
            } finally {
                output.debug(messageLine('→', methodOf(type), params, Date.now() - began));
            }
        },
        sendNotification: async (type, next, params) => {
            if (logLevel() === 'debug') {
                output.debug(messageLine('→', methodOf(type), params));
            }
            return next(type, params);
        },
        handleDiagnostics: (uri, diagnostics, next) => {
            if (logLevel() === 'debug') {
                output.debug(messageLine('←', 'textDocument/publishDiagnostics', { uri: uri.toString() }));
            }
            next(uri, diagnostics);
        },
    };
}

function methodOf(type: string | { readonly method: string }): string {
    return typeof type === 'string' ? type : type.method;
}
