// How the server is told of settings.

import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { serverSettings } from './settings';

/** Answers the server's questions for settings, and leaves announcing changes to `Server.sendSettings`. */
export const settingsMiddleware: Middleware = {
    workspace: {
        configuration: async (params, token, next) => {
            const answers = await next(params, token);
            if (!Array.isArray(answers)) {
                return answers;
            }
            return params.items.map((item, index) => {
                const scope = item.scopeUri === undefined ? undefined : vscode.Uri.parse(item.scopeUri);
                return item.section === 'mindport' ? serverSettings(scope) : answers[index];
            });
        },
        didChangeConfiguration: async () => undefined,
    },
};
