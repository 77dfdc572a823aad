// Which page of the extension stands for the address of a rule's page on the web. No `vscode` here.

const ADDRESS = /\/docs\/rules\/((?:zh-cn\/)?MP\d{3}\.md)$/;

const LINK = /\]\((https:\/\/[^)\s]*\/docs\/rules\/[^)\s]*)\)/g;

/** Markdown in which links to rules' pages on the web run `command` with the page; others stay. */
export function withLinksToPages(markdown: string, command: string): string {
    return markdown.replace(LINK, (link, address: string) => {
        const page = pageOf(address);
        return page === undefined ? link : `](command:${command}?${encodeURIComponent(JSON.stringify([page]))})`;
    });
}

/** The page (its path among the pages) that an address means; undefined if it means no rule's page. */
export function pageOf(address: string): string | undefined {
    return ADDRESS.exec(address)?.[1];
}
