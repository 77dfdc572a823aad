// The tabs: one for each table, with how many of its rows are shown.

import { button, element } from './elements';
import type { Table } from './results';
import type { ShownRow } from './view';

export class Tabs {
    readonly element = element('div', { class: 'tabs', attributes: { role: 'tablist' } });

    constructor(private readonly onChoose: (table: string) => void) {
        this.element.addEventListener('keydown', (event) => this.onKey(event));
    }

    /** Says what the tabs are for, to those who do not see them. */
    label(text: string): void {
        this.element.setAttribute('aria-label', text);
    }

    /** Shows all tables; `rows` are those of all of them that are shown, `chosen` is the table in sight. */
    show(tables: readonly Table[], rows: readonly ShownRow[], chosen: string): void {
        const numbers = new Map<string, number>();
        for (const { row } of rows) {
            numbers.set(row.table, (numbers.get(row.table) ?? 0) + 1);
        }
        const hadFocus = this.element.contains(document.activeElement);
        this.element.replaceChildren(
            ...tables.map((table) => this.tab(table, numbers.get(table.id) ?? 0, table.id === chosen)),
        );
        if (hadFocus) {
            this.element.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
        }
    }

    private tab(table: Table, number: number, isChosen: boolean): HTMLElement {
        const made = button('', () => this.onChoose(table.id), {
            title: table.about,
            attributes: {
                id: `tab-${table.id}`,
                role: 'tab',
                'aria-selected': String(isChosen),
                'aria-controls': 'panel',
                tabindex: isChosen ? '0' : '-1',
            },
            data: { table: table.id },
        });
        made.append(
            element('span', { class: `mark t-${table.id}`, attributes: { 'aria-hidden': 'true' } }),
            element('span', { text: table.title }),
            element('span', { class: 'badge', text: number.toLocaleString() }),
        );
        return made;
    }

    private onKey(event: KeyboardEvent): void {
        const tabs = [...this.element.querySelectorAll<HTMLElement>('[role=tab]')];
        const at = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true');
        const last = tabs.length - 1;
        const places: Readonly<Record<string, number>> = {
            ArrowRight: at === last ? 0 : at + 1,
            ArrowLeft: at === 0 ? last : at - 1,
            Home: 0,
            End: last,
        };
        const next = tabs[places[event.key] ?? -1];
        if (next !== undefined) {
            event.preventDefault();
            next.click();
        }
    }
}
