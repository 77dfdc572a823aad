// The frame of the result panel's page. No `vscode` here.

export interface PageParts {
    /** Where the webview's own files come from, as a Content-Security-Policy names it. */
    readonly source: string;
    readonly script: string;
    readonly style: string;
    /** A name that only this page's script has: no other one is run. */
    readonly nonce: string;
    readonly language: string;
    readonly title: string;
}

/** The page: it loads its script and its style, and nothing else. */
export function panelHtml({ source, script, style, nonce, language, title }: PageParts): string {
    const policy = [
        "default-src 'none'",
        `style-src ${source}`,
        `script-src 'nonce-${nonce}'`,
        "base-uri 'none'",
        "form-action 'none'",
    ].join('; ');
    return `<!DOCTYPE html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${escaped(style)}">
</head>
<body>
<script nonce="${escaped(nonce)}" src="${escaped(script)}"></script>
</body>
</html>
`;
}

function escaped(text: string): string {
    const characters: Readonly<Record<string, string>> = {
        '&': '&amp;',
        '<': '&lt;',
        '>': '&gt;',
        '"': '&quot;',
    };
    return text.replace(/[&<>"]/g, (character) => characters[character] ?? character);
}
