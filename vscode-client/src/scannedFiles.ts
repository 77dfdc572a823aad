// All files that were scanned, as the latest scans found them. No `vscode` here.

import type { ScannedFile, ScanResult } from './scanResult';

/** What a scan was asked to look at: files and folders, or the whole workspace. */
export type Asked = readonly string[] | 'workspace';

export class ScannedFiles {
    private known = new Map<string, ScannedFile>();
    private asked: Asked | undefined;

    /** `normal` gives one spelling of a URI, since server and editor may write it differently. */
    constructor(private readonly normal: (uri: string) => string) {}

    /** Whether anything was scanned. */
    get isEmpty(): boolean {
        return this.asked === undefined;
    }

    get files(): readonly ScannedFile[] {
        return [...this.known.values()];
    }

    get(uri: string): ScannedFile | undefined {
        return this.known.get(this.normal(uri));
    }

    /** What must be looked at to have all of it anew; undefined before the first scan. */
    get toRefresh(): Asked | undefined {
        return this.asked;
    }

    /** Takes up what the user had scanned. A scan that was cancelled stands for the files it has. */
    scanned(asked: Asked, result: ScanResult): void {
        const done = result.cancelled ? result.files.map((file) => file.uri) : asked;
        this.asked = together(this.asked, done);
        this.take(done, result);
    }

    /** Takes up what was looked at once more. */
    refreshed(asked: Asked, result: ScanResult): void {
        if (!result.cancelled) {
            this.take(asked, result);
        }
    }

    private take(asked: Asked, result: ScanResult): void {
        for (const uri of this.known.keys()) {
            if (asked === 'workspace' || asked.some((each) => covers(this.normal(each), uri))) {
                this.known.delete(uri);
            }
        }
        for (const file of result.files) {
            const uri = this.normal(file.uri);
            this.known.set(uri, { ...file, uri });
        }
    }
}

function together(before: Asked | undefined, now: Asked): Asked {
    if (before === undefined || now === 'workspace') {
        return now;
    }
    return before === 'workspace' ? before : [...new Set([...before, ...now])];
}

function covers(folder: string, uri: string): boolean {
    return uri === folder || uri.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
