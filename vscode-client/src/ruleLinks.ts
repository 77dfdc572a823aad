// Which page of the extension stands for the address of a rule's page on the web. No `vscode` here.

const ADDRESS = /\/docs\/rules\/((?:zh-cn\/)?MP\d{3}\.md)$/;

/** The page (its path among the pages) that an address means; undefined if it means no rule's page. */
export function pageOf(address: string): string | undefined {
    return ADDRESS.exec(address)?.[1];
}
