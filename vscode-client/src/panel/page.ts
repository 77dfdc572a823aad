// The page of the result panel. It shows what the server found; the extension sends it, and opens code.

import { button, element, filled } from './elements';
import { Details } from './details';
import { FORMATS, type Asked, type Choice, type FromPage, type Results, type Texts, type ToPage } from './results';
import { EVERYTHING, nextSort, View, type Column, type ShownRow, type Sort } from './view';
import { TableView } from './table';
import { Tabs } from './tabs';
import { Filters } from './filters';
import { Notices } from './notices';

declare function acquireVsCodeApi(): {
    postMessage(message: FromPage): void;
    getState(): unknown;
    setState(state: Kept): void;
};

/** What is kept while the panel is hidden, and when the window is loaded anew. */
interface Kept {
    readonly asked: Asked | undefined;
    readonly table: string;
    readonly choice: Choice;
    readonly sorts: Readonly<Record<string, Sort>>;
    readonly open: readonly string[];
    readonly scroll: number;
    readonly rows: number;
}

const BY_NUMBER: Sort = { column: 'number', descending: true };
const QUIET_MILLISECONDS = 200;

class Page {
    private readonly vscode = acquireVsCodeApi();
    private readonly kept = this.vscode.getState() as Kept | undefined;
    private asked = this.kept?.asked;
    private table = this.kept?.table ?? '';
    private choice = this.kept?.choice ?? EVERYTHING;
    private sorts: Record<string, Sort> = { ...this.kept?.sorts };
    private readonly open = new Set(this.kept?.open);
    private toRestore = this.kept;
    private view: View | undefined;
    private texts: Texts | undefined;
    private frame = 0;
    private saving = 0;
    private readonly head = element('header');
    private readonly scroller = element('div', {
        class: 'scroll',
        attributes: { id: 'panel', role: 'tabpanel', tabindex: '-1' },
    });
    private readonly about = element('p', { class: 'about', attributes: { 'aria-live': 'polite' } });
    private readonly notices = new Notices();
    private readonly tabs = new Tabs((table) => this.choose(table));
    private readonly filters = new Filters((choice) => this.filter(choice));
    private readonly rows = new TableView(
        this.scroller,
        (column) => this.sortBy(column),
        () => this.save(),
    );

    constructor() {
        addEventListener('message', (event: MessageEvent<ToPage>) => this.take(event.data));
        addEventListener('keydown', (event) => this.onKey(event));
        this.scroller.addEventListener('scroll', () => this.save());
        this.tell({ type: 'ready' });
    }

    private readonly tell = (message: FromPage): void => this.vscode.postMessage(message);

    private take(message: ToPage): void {
        switch (message.type) {
            case 'results':
                this.asked = message.asked;
                this.showResults(message.results, message.texts);
                break;
            case 'loading':
                this.notices.show('loading', message.texts.loading);
                this.frameOnly();
                break;
            case 'failed':
                this.notices.show('failed', message.message, message.texts.scanAgain, () => this.scanAgain());
                this.frameOnly();
                break;
            case 'stale':
                if (this.texts !== undefined) {
                    this.notices.show('stale', this.texts.stale, this.texts.scanAgain, () => this.scanAgain());
                }
                break;
        }
    }

    /** Notices can be seen though there are no results yet. */
    private frameOnly(): void {
        if (this.view === undefined) {
            document.body.replaceChildren(this.notices.element);
        }
    }

    private showResults(results: Results, texts: Texts): void {
        this.view = new View(results);
        this.texts = texts;
        if (!results.tables.some((table) => table.id === this.table)) {
            this.table = (results.tables.find((table) => table.rows > 0) ?? results.tables[0])?.id ?? '';
        }
        this.notices.clear();
        if (results.cancelled) {
            this.notices.show('cancelled', texts.cancelled, texts.scanAgain, () => this.scanAgain());
        }
        this.notices.showProblems(results, texts, this.tell);
        this.showHead(results, texts);
        this.tabs.label(texts.tables);
        this.choice = this.filters.show(results, texts, this.choice);
        document.body.replaceChildren(
            this.head,
            this.notices.element,
            this.filters.element,
            this.tabs.element,
            this.about,
            this.scroller,
        );
        this.render(this.toRestore?.rows ?? 0);
        this.scroller.scrollTop = this.toRestore?.scroll ?? this.scroller.scrollTop;
        this.toRestore = undefined;
        this.save();
    }

    private showHead(results: Results, texts: Texts): void {
        const { version, device } = results.target;
        const target = element('span', { class: 'target', text: `MindSpore ${version} · ${device}` });
        const files = element('span', { class: 'soft', text: filled(texts.files, number(results.files.length)) });
        const exports = FORMATS.map((format) =>
            button(format.toUpperCase(), () => this.tell({ type: 'export', format, choice: this.choice }), { data: { format } }),
        );
        const group = element(
            'span',
            { class: 'group', attributes: { role: 'group', 'aria-label': texts.exportAs } },
            element('span', { class: 'soft', text: texts.exportAs, attributes: { 'aria-hidden': 'true' } }),
            ...exports,
        );
        const again = button(texts.scanAgain, () => this.scanAgain(), { data: { action: 'scanAgain' } });
        this.head.replaceChildren(target, files, element('span', { class: 'space' }), again, group);
    }

    private scanAgain(): void {
        this.tell({ type: 'scanAgain' });
    }

    private choose(table: string): void {
        this.table = table;
        this.scroller.scrollTop = 0;
        this.render();
        this.save();
    }

    private filter(choice: Choice): void {
        this.choice = choice;
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame(() => {
            this.scroller.scrollTop = 0;
            this.render();
            this.save();
        });
    }

    private sortBy(column: Column): void {
        this.sorts[this.table] = nextSort(column, this.sorts[this.table] ?? BY_NUMBER);
        this.render();
        document.querySelector<HTMLElement>(`th[data-column="${column}"] button`)?.focus();
        this.save();
    }

    private render(atLeast = 0): void {
        const { view, texts } = this;
        if (view === undefined || texts === undefined) {
            return;
        }
        const all = view.shown(this.choice);
        const rows = all.filter(({ row }) => row.table === this.table);
        const sort = this.sorts[this.table] ?? BY_NUMBER;
        this.tabs.show(view.results.tables, all, this.table);
        this.scroller.setAttribute('aria-labelledby', `tab-${this.table}`);
        this.showAbout(view, texts, rows);
        this.rows.show(
            {
                rows: view.sorted(rows, sort),
                columns: view.columns(this.table),
                sort,
                open: this.open,
                details: new Details(view, texts, this.tell),
                results: view.results,
            },
            atLeast,
        );
        this.scroller.classList.toggle('empty', rows.length === 0);
    }

    private showAbout(view: View, texts: Texts, rows: readonly ShownRow[]): void {
        const table = view.results.tables.find((each) => each.id === this.table);
        if (table === undefined) {
            return;
        }
        const shown = rows.reduce((sum, row) => sum + row.number, 0);
        const values = [rows.length, table.rows, shown, table.uses].map(number);
        const isWhole = rows.length === table.rows && shown === table.uses;
        const counts = isWhole ? filled(texts.counts, values[0] ?? '', values[2] ?? '') : filled(texts.countsShown, ...values);
        const none = table.rows === 0 ? texts.nothingFound : texts.nothingFits;
        this.about.replaceChildren(
            element('span', { text: table.about }),
            element('span', { class: 'soft', text: rows.length === 0 ? none : counts }),
        );
    }

    private onKey(event: KeyboardEvent): void {
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') {
            event.preventDefault();
            this.filters.focus();
        }
    }

    /** Keeps what is seen, once it has been quiet for a moment. */
    private save(): void {
        clearTimeout(this.saving);
        this.saving = window.setTimeout(() => {
            this.vscode.setState({
                asked: this.asked,
                table: this.table,
                choice: this.choice,
                sorts: this.sorts,
                open: [...this.open],
                scroll: this.scroller.scrollTop,
                rows: this.rows.rowsMade,
            });
        }, QUIET_MILLISECONDS);
    }
}

function number(value: number): string {
    return value.toLocaleString();
}

new Page();
