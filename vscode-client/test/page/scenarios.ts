// What a test does with the page of the result panel, in a browser. The page is in a frame, as in VS Code.

import type { FromPage, Results, Texts, ToPage } from '../../src/panel/results';

/** What the test gives to a scenario. */
interface Given {
    readonly scenario: string;
    readonly results: Results;
    readonly texts: Texts;
}

interface Stub {
    readonly messages: FromPage[];
    state: unknown;
}

declare global {
    interface Window {
        stub?: Stub;
    }
}

class Frame {
    private constructor(private readonly frame: HTMLIFrameElement) {}

    /** Loads the page, which begins with what it kept before. */
    static async load(address: string, state?: unknown): Promise<Frame> {
        const frame = document.createElement('iframe');
        frame.style.cssText = 'width: 1200px; height: 800px';
        window.stub = { messages: [], state };
        document.body.replaceChildren(frame);
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
        frame.src = address;
        await loaded;
        return new Frame(frame);
    }

    get page(): Document {
        return this.frame.contentDocument as Document;
    }

    get messages(): FromPage[] {
        return window.stub?.messages ?? [];
    }

    send(message: ToPage): void {
        this.frame.contentWindow?.postMessage(message, '*');
    }

    all<Kind extends HTMLElement>(selector: string): Kind[] {
        return [...this.page.querySelectorAll<Kind>(selector)];
    }

    one<Kind extends HTMLElement>(selector: string): Kind {
        const [found] = this.all<Kind>(selector);
        if (found === undefined) {
            throw new Error(`nothing is ${selector}`);
        }
        return found;
    }

    texts(selector: string): string[] {
        return this.all(selector).map((each) => each.innerText.trim());
    }

    type(selector: string, text: string): void {
        const input = this.one<HTMLInputElement>(selector);
        input.value = text;
        input.dispatchEvent(new Event('input', { bubbles: true }));
    }

    press(selector: string, key: string): void {
        this.one(selector).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    }
}

const PAGE = '/panel.html';
const RESTING_MILLISECONDS = 350;
/** How long the page is kept busy on purpose, to see that this would be noticed. */
const CONTROL_MILLISECONDS = 150;

/** Waits until it has been drawn. */
function drawn(): Promise<void> {
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

function rest(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, RESTING_MILLISECONDS));
}

function busy(milliseconds: number): void {
    const start = performance.now();
    while (performance.now() - start < milliseconds) {
        // on purpose
    }
}

async function until(holds: () => boolean): Promise<void> {
    while (!holds()) {
        await drawn();
    }
}

async function opened({ results, texts }: Given, state?: unknown): Promise<Frame> {
    const frame = await Frame.load(PAGE, state);
    await until(() => frame.messages.some((message) => message.type === 'ready'));
    frame.send({ type: 'results', results, texts, asked: 'workspace' });
    await until(() => frame.all('tr.row').length > 0);
    return frame;
}

/** Everything is opened; what is in the page afterwards is told. */
async function hostile(given: Given): Promise<unknown> {
    const frame = await opened(given);
    frame.all('.toggle').forEach((toggle) => toggle.click());
    frame.all('details').forEach((each) => each.setAttribute('open', ''));
    await rest();
    const injected = await Frame.load('/injected.html');
    await rest();
    const injectedTitle = injected.page.title;
    const without = await Frame.load('/injected-without-policy.html');
    await until(() => without.page.title === 'owned');
    const titleWithoutPolicy = without.page.title;
    const again = await opened(given);
    again.all('.toggle').forEach((toggle) => toggle.click());
    return {
        injectedTitle,
        titleWithoutPolicy,
        title: again.page.title,
        elements: again.all('img, script:not([src]), iframe, object, embed, base').map((each) => each.tagName),
        handlers: again.all('*').flatMap((each) => each.getAttributeNames().filter((name) => name.startsWith('on'))),
        links: again.all<HTMLAnchorElement>('a').map((each) => each.getAttribute('href')),
        text: again.page.body.innerText,
        titles: again.all('[title]').map((each) => each.title),
    };
}

async function behaviour(given: Given): Promise<unknown> {
    const frame = await opened(given);
    const told: Record<string, unknown> = {};
    const rows = () => frame.texts('tr.row .toggle');
    told['tabs'] = frame.texts('[role=tab]');
    told['first'] = rows();
    told['columns'] = frame.texts('th');
    frame.one('th[data-column=api] button').click();
    told['byName'] = rows();
    told['order'] = frame.one('th[data-column=api]').getAttribute('aria-sort');
    frame.press('tr.row .toggle', 'ArrowDown');
    told['focused'] = (frame.page.activeElement as HTMLElement | null)?.innerText.trim();
    frame.press('.toggle[tabindex="0"]', 'ArrowRight');
    told['opened'] = frame.texts('.opened .file');
    told['places'] = frame.texts('.opened .place');
    frame.one('.opened .place:last-child').click();
    frame.one('[data-explain]').click();
    frame.one('[data-format=sarif]').click();
    frame.one('[data-action=scanAgain]').click();
    told['messages'] = frame.messages.slice(1);
    frame.type('[data-filter=file]', 'b.py');
    await drawn();
    told['inFile'] = rows();
    told['about'] = frame.one('.about').innerText.split('\n').at(-1);
    frame.press('[role=tab][aria-selected=true]', 'ArrowRight');
    told['chosenTab'] = frame.one('[role=tab][aria-selected=true]').dataset['table'];
    frame.press('[role=tab][aria-selected=true]', 'ArrowLeft');
    await rest();
    const state = window.stub?.state;
    const restored = await opened(given, structuredClone(state));
    told['restored'] = restored.texts('tr.row .toggle');
    told['restoredOpen'] = restored.texts('.opened .file');
    told['restoredFile'] = restored.one<HTMLInputElement>('[data-filter=file]').value;
    restored.one('[data-action=clear]').click();
    await drawn();
    told['cleared'] = restored.texts('tr.row .toggle');
    restored.send({ type: 'stale' });
    await until(() => restored.all('[data-notice=stale]').length > 0);
    restored.send({ type: 'failed', message: 'It failed', texts: given.texts });
    await until(() => restored.all('[data-notice=failed]').length > 0);
    told['notices'] = restored.texts('.notice span');
    return told;
}

/** Looks through many results as a user does, and tells how long the page was not to be used. */
async function large(given: Given): Promise<unknown> {
    const frame = await Frame.load(PAGE);
    await until(() => frame.messages.length > 0);
    const tasks: number[] = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
        type: 'longtask',
    });
    const longest = async (act: () => Promise<void>): Promise<number> => {
        tasks.length = 0;
        await act();
        await rest();
        return Math.round(Math.max(0, ...tasks));
    };
    const start = performance.now();
    frame.send({ type: 'results', results: given.results, texts: given.texts, asked: 'workspace' });
    await until(() => frame.all('tr.row').length > 0);
    const firstRows = Math.round(performance.now() - start);
    const rowsAtFirst = frame.all('tr.row').length;
    const opening = Math.round(Math.max(0, ...tasks));
    const filtering = await longest(async () => {
        for (let length = 1; length <= 'torch.nn.conv'.length; length += 1) {
            frame.type('[data-filter=search]', 'torch.nn.conv'.slice(0, length));
            await drawn();
        }
        frame.type('[data-filter=search]', '');
        frame.type('[data-filter=file]', 'layers');
        await drawn();
        frame.type('[data-filter=file]', '');
        await drawn();
    });
    const tabs = await longest(async () => {
        for (const tab of frame.all('[role=tab]').map((each) => each.dataset['table'] ?? '')) {
            frame.one(`[role=tab][data-table=${tab}]`).click();
            await drawn();
        }
    });
    frame.one('[role=tab]').click();
    const expanding = await longest(async () => {
        frame.one('.toggle').click();
        await drawn();
    });
    const scroller = frame.one('.scroll');
    const scrolling = await longest(async () => {
        let height = 0;
        while (scroller.scrollHeight !== height) {
            height = scroller.scrollHeight;
            scroller.scrollTop = height;
            await rest();
        }
    });
    const control = await longest(async () => {
        frame.page.defaultView?.setTimeout(() => busy(CONTROL_MILLISECONDS));
        await rest();
    });
    const rowsAtEnd = frame.all('tr.row').length;
    return { firstRows, rowsAtFirst, opening, filtering, tabs, expanding, scrolling, rowsAtEnd, control };
}

const SCENARIOS: Readonly<Record<string, (given: Given) => Promise<unknown>>> = { hostile, behaviour, large };

async function run(): Promise<void> {
    const given = (await (await fetch('/given')).json()) as Given;
    const scenario = SCENARIOS[given.scenario];
    let told: unknown;
    try {
        told = await scenario?.(given);
    } catch (error) {
        told = { error: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) };
    }
    await fetch('/told', { method: 'POST', body: JSON.stringify(told) });
}

void run();
