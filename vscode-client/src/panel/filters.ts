// The fields that say which rows are shown.

import { button, element } from './elements';
import type { Choice, Results, Texts } from './results';
import { EVERYTHING } from './view';

export class Filters {
    readonly element = element('div', { class: 'filters', attributes: { role: 'search' } });
    private readonly search = element('input', { data: { filter: 'search' } });
    private readonly file = element('input', { data: { filter: 'file' } });
    private readonly status = element('select', { data: { filter: 'status' } });
    private readonly fix = element('select', { data: { filter: 'fix' } });
    private readonly clear = button('', () => this.choose(EVERYTHING), { data: { action: 'clear' } });

    constructor(private readonly onChange: (choice: Choice) => void) {
        for (const input of [this.search, this.file]) {
            input.type = 'search';
            input.spellcheck = false;
            input.addEventListener('input', () => this.changed());
        }
        for (const select of [this.status, this.fix]) {
            select.addEventListener('change', () => this.changed());
        }
        this.element.append(this.search, this.file, this.status, this.fix, this.clear);
    }

    /** Shows the fields for these results, with what was chosen as far as there is a choice. Returns it. */
    show(results: Results, texts: Texts, choice: Choice): Choice {
        name(this.search, texts.search);
        name(this.file, texts.file);
        const present = (of: (row: Results['rows'][number]) => string) => new Set(results.rows.map(of));
        fill(this.status, texts.everyStatus, results.statuses, present((row) => row.status));
        fill(this.fix, texts.everyFix, results.fixes, present((row) => row.fix));
        this.clear.textContent = texts.clear;
        this.set(choice);
        return this.chosen();
    }

    focus(): void {
        this.search.focus();
        this.search.select();
    }

    private choose(choice: Choice): void {
        this.set(choice);
        this.changed();
        this.focus();
    }

    private set(choice: Choice): void {
        this.search.value = choice.search;
        this.file.value = choice.file;
        this.status.value = choice.status;
        this.fix.value = choice.fix;
        this.showClear();
    }

    private changed(): void {
        this.showClear();
        this.onChange(this.chosen());
    }

    private chosen(): Choice {
        return {
            search: this.search.value,
            file: this.file.value,
            status: this.status.value,
            fix: this.fix.value,
        };
    }

    private showClear(): void {
        this.clear.disabled = Object.values(this.chosen()).every((value) => value === '');
    }
}

function name(input: HTMLInputElement, text: string): void {
    input.placeholder = text;
    input.setAttribute('aria-label', text);
}

/** The choices that occur, in the server's order; the one that is in force is left as it is. */
function fill(
    select: HTMLSelectElement,
    every: string,
    words: Readonly<Record<string, string>>,
    present: ReadonlySet<string>,
): void {
    const options = Object.entries(words).filter(([value]) => present.has(value));
    select.replaceChildren(
        element('option', { text: every, attributes: { value: '' } }),
        ...options.map(([value, text]) => element('option', { text, attributes: { value } })),
    );
    select.setAttribute('aria-label', every);
}
