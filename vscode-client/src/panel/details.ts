// What a row shows when it is open: all that is known of it, its links, and all places by file.

import { button, element, filled, outsideLink, withCode } from './elements';
import type { FromPage, Place, Texts } from './results';
import type { PlacesInFile, ShownRow, View } from './view';

const FILES_AT_ONCE = 25;
const PLACES_AT_ONCE = 400;

/** A part of the places of a file, small enough to be shown at once. */
interface Part {
    readonly group: PlacesInFile;
    readonly places: readonly Place[];
}

export class Details {
    constructor(
        private readonly view: View,
        private readonly texts: Texts,
        private readonly tell: (message: FromPage) => void,
    ) {}

    of(shown: ShownRow): HTMLElement {
        const parts = this.view.places(shown.groups).flatMap(inParts);
        const list = element('ul', { class: 'files' });
        const made = element('div', { class: 'details' }, ...this.facts(shown), this.links(shown), list);
        this.append(list, parts, 0);
        return made;
    }

    /** What the table may have cut off or left out for want of room. */
    private facts({ row }: ShownRow): HTMLElement[] {
        const { columns, fixes } = this.view.results;
        const facts: readonly [string, string][] = [
            ['becomes', row.becomes],
            ['versions', row.versions],
            ['devices', row.devices],
            ['fix', fixes[row.fix] ?? row.fix],
            ['code', row.code ?? ''],
        ];
        const known = facts.filter(([, value]) => value !== '');
        const line = known.flatMap(([name, value]) => [
            element('dt', { class: 'soft', text: columns[name] ?? name }),
            element('dd', { text: value, data: { fact: name } }),
        ]);
        const made = [element('dl', {}, ...line)];
        return row.differs === '' ? made : [element('p', { class: 'differs' }, ...withCode(row.differs)), ...made];
    }

    private links({ row }: ShownRow): HTMLElement {
        const names = row.code === null ? [row.api] : [row.api, row.code];
        const explain = names.map((name) =>
            button(filled(this.texts.explain, name), () => this.tell({ type: 'explain', name }), {
                class: 'link',
                data: { explain: name },
            }),
        );
        const documentation =
            row.link === null ? [] : [outsideLink(filled(this.texts.documentation, row.target), row.link)];
        return element('p', { class: 'links' }, ...explain, ...documentation);
    }

    private append(list: HTMLElement, parts: readonly Part[], from: number): void {
        const until = Math.min(parts.length, from + FILES_AT_ONCE);
        list.append(...parts.slice(from, until).map((part) => this.item(part)));
        if (until < parts.length) {
            const more = element('li');
            const label = filled(this.texts.moreFiles, parts.length - until);
            more.append(
                button(label, () => this.replaceByMore(list, more, parts, until), { class: 'link more' }),
            );
            list.append(more);
        }
    }

    private replaceByMore(list: HTMLElement, more: HTMLElement, parts: readonly Part[], from: number): void {
        const before = more.previousElementSibling;
        more.remove();
        this.append(list, parts, from);
        before?.nextElementSibling?.querySelector('button')?.focus();
    }

    private item({ group, places }: Part): HTMLElement {
        const { file, cell } = group;
        const name = cell === 0 ? file.path : `${file.path} · ${filled(this.texts.cell, cell)}`;
        const first = places[0];
        const heading = first === undefined ? name : this.jump(name, file.uri, first, 'file');
        const jumps = places.map((place) => {
            const { line, character } = place.range.start;
            return this.jump(`${line + 1}:${character + 1}`, file.uri, place, 'place');
        });
        return element('li', { data: { path: file.path } }, heading, element('span', { class: 'places' }, ...jumps));
    }

    private jump(text: string, uri: string, place: Place, kind: string): HTMLElement {
        const { line, character } = place.range.start;
        return button(text, () => this.tell({ type: 'open', uri, place }), {
            class: `link ${kind}`,
            data: { uri, line: String(line), character: String(character) },
        });
    }
}

function inParts(group: PlacesInFile): Part[] {
    const parts: Part[] = [];
    for (let at = 0; at < group.places.length; at += PLACES_AT_ONCE) {
        parts.push({ group, places: group.places.slice(at, at + PLACES_AT_ONCE) });
    }
    return parts;
}
