// The table: its rows are made as they come into sight, so that a table of any length appears at once.

import { apiName, button, element, withCode } from './elements';
import type { Details } from './details';
import type { Results } from './results';
import { keyOf, type Column, type ShownRow, type Sort } from './view';

const ROWS_AT_ONCE = 40;

/** What a table shows. `open` are the keys of rows that show their places. */
export interface Content {
    readonly rows: readonly ShownRow[];
    readonly columns: readonly Column[];
    readonly sort: Sort;
    readonly open: Set<string>;
    readonly details: Details;
    readonly results: Results;
}

export class TableView {
    private content: Content | undefined;
    private body = element('tbody');
    private made = 0;
    private readonly end = element('div', { class: 'end' });
    private readonly table = element('table', { attributes: { id: 'table' } });

    constructor(
        private readonly scroller: HTMLElement,
        private readonly onSort: (column: Column) => void,
        private readonly onOpen: () => void,
    ) {
        scroller.append(this.table, this.end);
        const seen = new IntersectionObserver((entries) => {
            if (entries.some((entry) => entry.isIntersecting)) {
                this.makeMore();
            }
        }, { root: scroller, rootMargin: '600px' });
        seen.observe(this.end);
        this.table.addEventListener('keydown', (event) => this.onKey(event));
    }

    /** Shows other rows. At least `atLeast` of them are made at once. */
    show(content: Content, atLeast = 0): void {
        this.content = content;
        this.made = 0;
        this.body = element('tbody');
        this.table.replaceChildren(this.heading(content), this.body);
        this.table.setAttribute('aria-rowcount', String(content.rows.length + 1));
        do {
            this.makeMore();
        } while (this.made < Math.min(atLeast, content.rows.length));
    }

    get rowsMade(): number {
        return this.made;
    }

    private heading({ columns, sort, results }: Content): HTMLElement {
        const cells = columns.map((column) => {
            const isSorted = sort.column === column;
            const order = sort.descending ? 'descending' : 'ascending';
            const title = results.columns[column] ?? column;
            const press = button(title, () => this.onSort(column));
            return element(
                'th',
                {
                    class: `c-${column}`,
                    attributes: { scope: 'col', 'aria-sort': isSorted ? order : 'none' },
                    data: { column },
                },
                press,
            );
        });
        return element('thead', {}, element('tr', {}, ...cells));
    }

    private makeMore(): void {
        if (this.content === undefined || this.made >= this.content.rows.length) {
            return;
        }
        const { rows } = this.content;
        const part = rows.slice(this.made, this.made + ROWS_AT_ONCE);
        this.body.append(...part.flatMap((row, at) => this.rowElements(row, this.made + at)));
        this.made += part.length;
        // It may be in sight still, which the observer is not told again.
        requestAnimationFrame(() => {
            const isNear = this.end.getBoundingClientRect().top < this.scroller.getBoundingClientRect().bottom;
            if (isNear) {
                this.makeMore();
            }
        });
    }

    private rowElements(shown: ShownRow, number: number): HTMLElement[] {
        const content = this.content as Content;
        const cells = content.columns.map((column) => this.cell(shown, column, number));
        const { row } = shown;
        const data = { api: row.api, table: row.table, status: row.status, fix: row.fix };
        const made = element('tr', { class: 'row', data }, ...cells);
        made.addEventListener('click', (event) => {
            const isOnButton = event.target instanceof Element && event.target.closest('button, a') !== null;
            if (!isOnButton && getSelection()?.isCollapsed !== false) {
                this.toggle(made, shown);
            }
        });
        const opener = made.querySelector<HTMLButtonElement>('.toggle');
        opener?.addEventListener('click', () => this.toggle(made, shown));
        const isOpen = content.open.has(keyOf(row));
        opener?.setAttribute('aria-expanded', String(isOpen));
        return isOpen ? [made, this.detailsRow(shown)] : [made];
    }

    private cell(shown: ShownRow, column: Column, number: number): HTMLElement {
        const { row } = shown;
        const { results } = this.content as Content;
        const options = { class: `c-${column}` };
        switch (column) {
            case 'api': {
                const toggle = button('', () => undefined, {
                    class: 'toggle',
                    attributes: { tabindex: number === 0 ? '0' : '-1' },
                });
                toggle.append(element('span', { class: 'arrow', attributes: { 'aria-hidden': 'true' } }));
                toggle.append(apiName(row.api));
                return element('td', options, toggle);
            }
            case 'becomes':
                return element('td', options, apiName(row.becomes, { class: 'clamped' }));
            case 'status':
                return element('td', options, statusMark(row.status), results.statuses[row.status] ?? row.status);
            case 'differs':
                return element('td', options, element('div', { class: 'clamped' }, ...withCode(row.differs)));
            case 'fix':
                return element('td', { ...options, data: { fix: row.fix } }, results.fixes[row.fix] ?? row.fix);
            case 'number':
                return element('td', { ...options, text: shown.number.toLocaleString() });
            default:
                return element('td', { ...options, text: row[column] ?? '' });
        }
    }

    private toggle(made: HTMLElement, shown: ShownRow): void {
        const { open } = this.content as Content;
        const key = keyOf(shown.row);
        const isOpen = open.delete(key);
        if (isOpen) {
            made.nextElementSibling?.remove();
        } else {
            open.add(key);
            made.after(this.detailsRow(shown));
        }
        made.querySelector('.toggle')?.setAttribute('aria-expanded', String(!isOpen));
        this.onOpen();
    }

    private detailsRow(shown: ShownRow): HTMLElement {
        const { columns, details } = this.content as Content;
        const cell = element('td', { attributes: { colspan: String(columns.length) } }, details.of(shown));
        return element('tr', { class: 'opened', data: { api: shown.row.api } }, cell);
    }

    /** Arrows go from row to row, and open and close them. */
    private onKey(event: KeyboardEvent): void {
        const target = event.target instanceof Element ? event.target.closest<HTMLElement>('.toggle') : null;
        if (target === null || event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        const isOpen = target.getAttribute('aria-expanded') === 'true';
        switch (event.key) {
            case 'ArrowDown':
                this.focus(target, 1);
                break;
            case 'ArrowUp':
                this.focus(target, -1);
                break;
            case 'ArrowRight':
            case 'ArrowLeft':
                if (isOpen === (event.key === 'ArrowLeft')) {
                    target.click();
                }
                break;
            default:
                return;
        }
        event.preventDefault();
    }

    private focus(from: HTMLElement, step: number): void {
        const toggles = [...this.body.querySelectorAll<HTMLElement>('.toggle')];
        const at = toggles.indexOf(from) + step;
        if (at === toggles.length - 1) {
            this.makeMore();
        }
        const next = toggles[at];
        if (next !== undefined) {
            from.tabIndex = -1;
            next.tabIndex = 0;
            next.focus();
        }
    }
}

function statusMark(status: string): HTMLElement {
    return element('span', { class: `mark s-${status}`, attributes: { 'aria-hidden': 'true' } });
}
