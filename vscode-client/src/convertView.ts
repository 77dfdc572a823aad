// Converting with a look first: a diff of what would change, and then applying it, or not.

import * as vscode from 'vscode';
import { LSPErrorCodes, ResponseError } from 'vscode-languageclient/node';
import {
    hasMoreToReview,
    queryOf,
    textOf,
    type ConversionPreview,
    type ConvertedText,
    type PreviewedFile,
} from './conversionPreview';
import { errorText } from './errorText';
import { meantDocument } from './meantDocument';
import type { Server } from './server';

const SCHEME = 'mindport-converted';

/** A preview that is shown. */
interface Shown {
    readonly asked: readonly string[] | undefined;
    readonly unsafe: boolean;
    readonly title: string;
    readonly preview: ConversionPreview;
}

export class ConvertView implements vscode.Disposable {
    private readonly registration: vscode.Disposable;
    private readonly asking: vscode.Disposable;
    private shown: Shown | undefined;

    constructor(private readonly server: Server) {
        this.registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
            provideTextDocumentContent: (uri) => server.execute<string>('mindport.convertedText', textOf(uri.query)),
        });
        this.asking = server.onDidAskToConvert((folders) => void this.files(folders.map(String)));
    }

    /** Shows what becomes of one file; without a URI of the one in the active editor. */
    async file(uri?: vscode.Uri): Promise<void> {
        const meant = meantDocument(uri);
        if (meant === undefined) {
            void vscode.window.showInformationMessage(vscode.l10n.t('Open a Python file or a notebook to convert it.'));
        } else {
            await this.preview([meant.toString()], false);
        }
    }

    /** Shows what becomes of files and folders; `clicked` is among `selected`, if anything is. */
    async selection(clicked?: vscode.Uri, selected?: readonly vscode.Uri[]): Promise<void> {
        const uris = selected !== undefined && selected.length > 0 ? selected : [clicked];
        const known = uris.filter((uri) => uri !== undefined).map(String);
        await this.preview(known.length > 0 ? known : undefined, false);
    }

    /** Shows what becomes of these files and folders. */
    files(uris: readonly string[]): Promise<void> {
        return this.preview(uris, false);
    }

    /** Shows what becomes of all folders of the workspace. */
    workspace(): Promise<void> {
        return this.preview(undefined, false);
    }

    /** Makes the changes that are shown. */
    async apply(): Promise<void> {
        const shown = this.shown;
        if (shown === undefined) {
            return;
        }
        await reporting(async () => {
            const { preview, files } = shown.preview;
            await openNotebooks(files);
            const result = await this.server.execute<{ applied: boolean }>('mindport.applyConversion', { preview });
            if (result.applied && this.shown === shown) {
                await this.close();
            }
        });
    }

    /** Shows the same with the changes that have to be reviewed. */
    async withReview(): Promise<void> {
        const shown = this.shown;
        if (shown !== undefined) {
            await this.close();
            await this.preview(shown.asked, true);
        }
    }

    /** Closes what is shown; nothing is changed. */
    async close(): Promise<void> {
        const title = this.shown?.title;
        await this.become(undefined);
        const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
        await vscode.window.tabGroups.close(tabs.filter((tab) => isPreview(tab, title)));
    }

    dispose(): void {
        this.registration.dispose();
        this.asking.dispose();
    }

    private async preview(asked: readonly string[] | undefined, unsafe: boolean): Promise<void> {
        await reporting(async () => {
            const title = vscode.l10n.t('MindPort: preview of the conversion');
            const argument = asked === undefined ? { unsafe } : { uris: asked, unsafe };
            const preview = await this.server.executeShown<ConversionPreview>(
                title,
                'mindport.previewConversion',
                argument,
            );
            await this.close();
            if (preview.files.length === 0) {
                void this.tellNothing(asked, unsafe, preview);
                return;
            }
            const shown = { asked, unsafe, title: titleOf(preview), preview };
            await this.become(shown);
            await open(shown);
            void this.ask(shown);
        });
    }

    private async ask(shown: Shown): Promise<void> {
        const apply = vscode.l10n.t('Apply');
        const review = vscode.l10n.t('Include Fixes That Need Review');
        const cancel = vscode.l10n.t('Cancel');
        const withReview = !shown.unsafe && hasMoreToReview(shown.preview) ? [review] : [];
        const text = vscode.l10n.t(
            'MindPort preview: no files changed yet. Files: {0}. {1}',
            shown.preview.files.length,
            withProblems(shown.preview),
        );
        const answer = await vscode.window.showInformationMessage(text, apply, ...withReview, cancel);
        if (this.shown !== shown) {
            return;
        }
        if (answer === apply) {
            await this.apply();
        } else if (answer === review) {
            await this.withReview();
        } else if (answer === cancel) {
            await this.close();
        }
    }

    private async tellNothing(
        asked: readonly string[] | undefined,
        unsafe: boolean,
        preview: ConversionPreview,
    ): Promise<void> {
        const nothing = vscode.l10n.t('MindPort: nothing to convert.');
        const review = vscode.l10n.t('Include Fixes That Need Review');
        const buttons = !unsafe && hasMoreToReview(preview) ? [review] : [];
        const text = [nothing, withProblems(preview)].join(' ').trim();
        if ((await vscode.window.showInformationMessage(text, ...buttons)) === review) {
            await this.preview(asked, true);
        }
    }

    private async become(shown: Shown | undefined): Promise<void> {
        this.shown = shown;
        await vscode.commands.executeCommand('setContext', 'mindport.isPreviewing', shown !== undefined);
    }
}

/** Notebooks are changed cell by cell, which takes an open one; VS Code shows those with changes by itself. */
async function openNotebooks(files: readonly PreviewedFile[]): Promise<void> {
    for (const file of files.filter((each) => each.notebook)) {
        await vscode.workspace.openNotebookDocument(vscode.Uri.parse(file.uri, true));
    }
}

async function open({ title, preview }: Shown): Promise<void> {
    const pairs = preview.files.map((file) => {
        const source = vscode.Uri.parse(file.uri, true);
        const about = { preview: preview.preview, uri: file.uri };
        const after = textUri(source, file, about);
        // Of a notebook its code is compared, as a script: a text that is in no file.
        return { before: file.notebook ? textUri(source, file, { ...about, before: true }) : source, after };
    });
    const [first, ...others] = pairs;
    if (first !== undefined && others.length === 0) {
        await vscode.commands.executeCommand('vscode.diff', first.before, first.after, title, { preview: false });
    } else {
        const resources = pairs.map(({ before, after }) => [before, before, after]);
        await vscode.commands.executeCommand('vscode.changes', title, resources);
    }
}

function textUri(source: vscode.Uri, file: PreviewedFile, text: ConvertedText): vscode.Uri {
    // With the name of a notebook VS Code would take it for one.
    const path = file.notebook ? `${source.path}.py` : source.path;
    return vscode.Uri.from({ scheme: SCHEME, path, query: queryOf(text) });
}

function titleOf(preview: ConversionPreview): string {
    const [first, ...others] = preview.files;
    return first !== undefined && others.length === 0
        ? vscode.l10n.t('{0}: PyTorch ↔ MindSpore', first.path)
        : vscode.l10n.t('Files to convert: PyTorch ↔ MindSpore');
}

/** The API does not say what a tab with several diffs shows: it is known by its title, which VS Code goes on with. */
function isPreview(tab: vscode.Tab, title: string | undefined): boolean {
    const { input } = tab;
    return input instanceof vscode.TabInputTextDiff
        ? input.modified.scheme === SCHEME
        : title !== undefined && tab.label.startsWith(title);
}

function withProblems(preview: ConversionPreview): string {
    const problems = preview.problems.map((problem) => problem.message);
    return [preview.text, ...problems].filter((text) => text !== '').join(' · ');
}

async function reporting(work: () => Promise<void>): Promise<void> {
    try {
        await work();
    } catch (error) {
        if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled) {
            return; // the user did so
        }
        void vscode.window.showErrorMessage(errorText(error));
    }
}
