// Makes elements of the page. What comes from files and from the server is only ever set as text.

export interface Options {
    readonly class?: string;
    readonly text?: string;
    readonly title?: string;
    readonly attributes?: Readonly<Record<string, string>>;
    readonly data?: Readonly<Record<string, string>>;
}

export function element<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    options: Options = {},
    ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
    const made = document.createElement(name);
    if (options.class !== undefined) {
        made.className = options.class;
    }
    if (options.text !== undefined) {
        made.textContent = options.text;
    }
    if (options.title !== undefined) {
        made.title = options.title;
    }
    for (const [attribute, value] of Object.entries(options.attributes ?? {})) {
        made.setAttribute(attribute, value);
    }
    Object.assign(made.dataset, options.data);
    made.append(...children);
    return made;
}

export function button(text: string, act: () => void, options: Options = {}): HTMLButtonElement {
    const made = element('button', { text, ...options, attributes: { type: 'button', ...options.attributes } });
    made.addEventListener('click', act);
    return made;
}

/** A sentence in which what stands between backticks is code. */
export function withCode(sentence: string): (Node | string)[] {
    const parts = sentence.split('`');
    if (parts.length % 2 === 0) {
        return [sentence]; // a backtick that is none of ours
    }
    return parts.map((part, at) => (at % 2 === 0 ? part : element('code', { text: part })));
}

/** The name of an API, or an expression: long ones are broken before a point. */
export function apiName(text: string, options: Options = {}): HTMLElement {
    const parts = text.split('.').map((part, at) => (at === 0 ? part : `.${part}`));
    const pieces = parts.flatMap((part, at) => (at === 0 ? [part] : [document.createElement('wbr'), part]));
    return element('code', options, ...pieces);
}

/** A link to documentation; plain text if the address is none that may be opened. */
export function outsideLink(text: string, address: string): Node {
    return address.startsWith('https://')
        ? element('a', { text, attributes: { href: address } })
        : document.createTextNode(text);
}

/** A text with `{0}`, `{1}` ... filled in. */
export function filled(text: string, ...values: readonly (string | number)[]): string {
    return text.replace(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)] ?? ''));
}
