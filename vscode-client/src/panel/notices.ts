// What there is to say about the results as a whole, above the tables.

import { button, element, filled, withCode } from './elements';
import type { FileProblem, FromPage, Results, Texts } from './results';

const MOST_PROBLEMS = 200;

export class Notices {
    readonly element = element('div', { class: 'notices', attributes: { role: 'status' } });

    clear(): void {
        this.element.replaceChildren();
    }

    /** Shows a notice in place of one of the same kind, with a button if there is something to do. */
    show(kind: string, text: string, action?: string, act?: () => void): void {
        const made = element('p', { class: `notice ${kind}`, data: { notice: kind } }, element('span', { text }));
        if (action !== undefined && act !== undefined) {
            made.append(button(action, act));
        }
        this.put(kind, made);
    }

    /** Lists what could not be read or does not parse. */
    showProblems(results: Results, texts: Texts, tell: (message: FromPage) => void): void {
        if (results.problems.length === 0) {
            return;
        }
        const items = results.problems.slice(0, MOST_PROBLEMS).map((problem) => item(results, problem, tell));
        const summary = element('summary', { text: filled(texts.problems, results.problems.length) });
        const made = element('details', { class: 'notice problems', data: { notice: 'problems' } });
        made.append(summary, element('ul', {}, ...items));
        this.put('problems', made);
    }

    private put(kind: string, made: HTMLElement): void {
        const before = this.element.querySelector(`[data-notice=${kind}]`);
        if (before === null) {
            this.element.append(made);
        } else {
            before.replaceWith(made);
        }
    }
}

function item(results: Results, problem: FileProblem, tell: (message: FromPage) => void): HTMLElement {
    const file = results.files[problem.file];
    const start = { line: problem.line - 1, character: problem.column - 1 };
    const range = { start, end: start };
    const place = problem.cell === undefined ? { range } : { cell: problem.cell, range };
    const jump = button(`${file?.path ?? ''}:${problem.line}`, () => {
        if (file !== undefined) {
            tell({ type: 'open', uri: file.uri, place });
        }
    }, { class: 'link' });
    return element('li', {}, jump, ' ', ...withCode(problem.message));
}
