// The library's client, with its own pop-ups left out: what the user is told is ours, in their language.

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { LogOutputChannel } from 'vscode';
import { LanguageClient, type Executable, type LanguageClientOptions } from 'vscode-languageclient/node';

const KEPT_LINES = 3;
/** How long a server that has just ended is listened to, in milliseconds. */
const LISTENING = 500;

export class QuietClient extends LanguageClient {
    private readonly lines: string[];
    private readonly silence: Promise<void>;

    constructor(executable: Executable, options: LanguageClientOptions) {
        const lines: string[] = [];
        let fallSilent: () => void;
        const silence = new Promise<void>((resolve) => (fallSilent = resolve));
        const stderr = (input: Readable, output: LogOutputChannel): void => {
            const reader = createInterface({ input, crlfDelay: Infinity });
            reader.on('close', () => fallSilent());
            reader.on('line', (line) => {
                output.info(line);
                lines.push(line);
                lines.splice(0, lines.length - KEPT_LINES);
            });
        };
        // Standard output carries the protocol, which the library reads by itself.
        const stdioOptions = { stdout: () => undefined, stderr };
        super('mindport', 'MindPort', executable, { ...options, stdioOptions });
        this.lines = lines;
        this.silence = silence;
    }

    /** What the server wrote last to its standard error; that it ended may be known before all of it came. */
    async lastWords(): Promise<string> {
        await Promise.race([this.silence, new Promise((resolve) => setTimeout(resolve, LISTENING))]);
        return this.lines.join('\n');
    }

    override error(message: string, data?: unknown): void {
        super.error(message, data, false);
    }
}
