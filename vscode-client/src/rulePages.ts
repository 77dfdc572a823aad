// The pages of the rules that come with the extension: links to them open there, not on the web.

import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Middleware, vsdiag } from 'vscode-languageclient/node';
import { pageOf, withLinksToPages } from './ruleLinks';

/** package.json says that documents of it are shown as previews: a link in a hover may not run a command. */
const SCHEME = 'mindport-rule';
const SHOW_RULE = 'mindport.showRule';

export class RulePages implements vscode.Disposable {
    private readonly registrations: readonly vscode.Disposable[];

    constructor(private readonly extension: vscode.Uri) {
        this.registrations = [
            vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
                provideTextDocumentContent: async (uri) => {
                    const page = pageOf(`/docs/rules${uri.path}`);
                    return page && new TextDecoder().decode(await vscode.workspace.fs.readFile(this.place(page)));
                },
            }),
            vscode.commands.registerCommand(SHOW_RULE, (page: string) =>
                vscode.commands.executeCommand(
                    'markdown.showPreview',
                    vscode.Uri.from({ scheme: SCHEME, path: `/${page}` }),
                ),
            ),
        ];
    }

    /** Leads the links of diagnostics to the pages here. A rule whose page is not here keeps its address. */
    get middleware(): Middleware {
        return {
            provideHover: async (document, position, token, next) => {
                const hover = await next(document, position, token);
                hover?.contents.forEach(leadToPages);
                return hover;
            },
            handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(this.linked)),
            provideDiagnostics: async (document, previous, token, next) => {
                const report = await next(document, previous, token);
                return report && this.linkedReport(report);
            },
            provideWorkspaceDiagnostics: (previous, token, reporter, next) =>
                next(previous, token, (chunk) =>
                    reporter(chunk && { items: chunk.items.map((report) => this.linkedReport(report)) }),
                ),
        };
    }

    dispose(): void {
        this.registrations.forEach((each) => each.dispose());
    }

    private place(page: string): vscode.Uri {
        return vscode.Uri.joinPath(this.extension, 'out', 'rules', page);
    }

    private linkedReport<Report extends vsdiag.DocumentDiagnosticReport>(report: Report): Report {
        return 'items' in report ? { ...report, items: report.items.map(this.linked) } : report;
    }

    private readonly linked = (diagnostic: vscode.Diagnostic): vscode.Diagnostic => {
        const { code } = diagnostic;
        const page = typeof code === 'object' ? pageOf(code.target.toString(true)) : undefined;
        if (typeof code === 'object' && page !== undefined && existsSync(this.place(page).fsPath)) {
            diagnostic.code = { value: code.value, target: vscode.Uri.from({ scheme: SCHEME, path: `/${page}` }) };
        }
        return diagnostic;
    };
}

/** Leads the links of a hover to the pages here, by the one command that they may run. */
function leadToPages(content: vscode.MarkdownString | vscode.MarkedString): void {
    if (content instanceof vscode.MarkdownString) {
        content.value = withLinksToPages(content.value, SHOW_RULE);
        content.isTrusted = { enabledCommands: [SHOW_RULE] };
    }
}
