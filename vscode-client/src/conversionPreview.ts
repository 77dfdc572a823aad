// What the server answers to `mindport.previewConversion`, and how a converted text is addressed; see
// docs/protocol.md. No `vscode` here.

export interface PreviewedFile {
    readonly uri: string;
    readonly path: string;
    readonly text: string;
    readonly notebook: boolean;
}

export interface Problem {
    readonly uri: string;
    readonly message: string;
}

export interface ConversionPreview {
    /** Under which the server keeps it. */
    readonly preview: string;
    readonly files: readonly PreviewedFile[];
    readonly outcomes: Readonly<Record<string, number>>;
    readonly text: string;
    readonly problems: readonly Problem[];
}

/** Which text is meant: that of a file, in a preview; as it was, or else converted. */
export interface ConvertedText {
    readonly preview: string;
    readonly uri: string;
    readonly before?: boolean;
}

/** The query of the address of a converted text. */
export function queryOf(text: ConvertedText): string {
    const query = new URLSearchParams({ preview: text.preview, uri: text.uri });
    if (text.before === true) {
        query.set('before', 'true');
    }
    return query.toString();
}

/** The text that a query means. */
export function textOf(query: string): ConvertedText {
    const values = new URLSearchParams(query);
    const before = values.has('before') ? { before: true } : {};
    return { preview: values.get('preview') ?? '', uri: values.get('uri') ?? '', ...before };
}

/** Whether there are changes that the user could ask for beside those shown. */
export function hasMoreToReview(preview: ConversionPreview): boolean {
    return (preview.outcomes['review'] ?? 0) > 0;
}
