// The library's client, with its own pop-ups left out: what the user is told is ours, in their language.

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { LogOutputChannel } from 'vscode';
import { LanguageClient, type Executable, type LanguageClientOptions } from 'vscode-languageclient/node';

const KEPT_LINES = 3;

export class QuietClient extends LanguageClient {
    private readonly lines: string[];

    constructor(executable: Executable, options: LanguageClientOptions) {
        const lines: string[] = [];
        const stderr = (input: Readable, output: LogOutputChannel): void => {
            createInterface({ input, crlfDelay: Infinity }).on('line', (line) => {
                output.info(line);
                lines.push(line);
                lines.splice(0, lines.length - KEPT_LINES);
            });
        };
        // Standard output carries the protocol, which the library reads by itself.
        const stdioOptions = { stdout: () => undefined, stderr };
        super('mindport', 'MindPort', executable, { ...options, stdioOptions });
        this.lines = lines;
    }

    /** What the server wrote last to its standard error. */
    get lastWords(): string {
        return this.lines.join('\n');
    }

    override error(message: string, data?: unknown): void {
        super.error(message, data, false);
    }
}
