// What is logged, and how a message of the protocol reads there. No `vscode` here.

const LEVELS = ['error', 'warning', 'info', 'debug'] as const;

export type Level = (typeof LEVELS)[number];

/** Whether what is of one level is logged where another one is asked for. */
export function isLogged(level: Level, asked: Level): boolean {
    return LEVELS.indexOf(level) <= LEVELS.indexOf(asked);
}

/** A message in one line: where it goes, its method, the file that it is about, how long the answer took. */
export function messageLine(direction: '→' | '←', method: string, params: unknown, milliseconds?: number): string {
    const parts = [direction, method, about(params), milliseconds === undefined ? '' : `${String(milliseconds)} ms`];
    return parts.filter((part) => part !== '').join(' ');
}

/** The name of the document or the command that the parameters name. */
function about(params: unknown): string {
    const { textDocument, uri, command } = (params ?? {}) as {
        textDocument?: { uri?: unknown };
        uri?: unknown;
        command?: unknown;
    };
    const named = textDocument?.uri ?? uri;
    if (typeof named === 'string') {
        return decodeURIComponent(named.slice(named.lastIndexOf('/') + 1));
    }
    return typeof command === 'string' ? command : '';
}
