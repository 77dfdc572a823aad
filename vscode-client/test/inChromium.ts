// Runs a scenario of test/page in Chromium, with the page of the result panel as VS Code has it.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { panelHtml } from '../src/panelHtml';
import type { Results, Texts } from '../src/panel/results';

const OUT = join(__dirname, '..');
const SECONDS = 120;
const NONCE = 'of-the-test';
const INJECTED = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
const OPTIONS = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--no-first-run',
    '--window-size=1280,900',
];
const STUB = `const stub = parent.stub;
window.acquireVsCodeApi = () => ({
    postMessage: (message) => stub.messages.push(message),
    getState: () => stub.state,
    setState: (state) => { stub.state = state; },
});`;

/** The command that starts Chromium; undefined if it is not installed. */
export const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'].find(
    (command) => spawnSync(command, ['--version']).status === 0,
);

/** What the scenario of this name tells, given these results. */
export async function inChromium(scenario: string, results: Results, texts: Texts): Promise<Record<string, unknown>> {
    if (CHROMIUM === undefined) {
        throw new Error('Chromium is not installed; with CI=true this test has to run');
    }
    let take: (told: Record<string, unknown>) => void = () => undefined;
    const told = new Promise<Record<string, unknown>>((resolve) => (take = resolve));
    const given = JSON.stringify({ scenario, results, texts });
    const server = createServer((request, response) => void answer(request, response, given, take));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const profile = mkdtempSync(join(tmpdir(), 'mindport-panel-'));
    const options = [...OPTIONS, `--user-data-dir=${profile}`, '--remote-debugging-port=0'];
    // In a process group of its own: all of its processes end with it, and none writes to the profile any more.
    const browser = spawn(CHROMIUM, [...options, `http://127.0.0.1:${port}/`], { detached: true });
    const ended = new Promise((resolve) => browser.once('exit', resolve));
    const timer = setTimeout(() => take({ error: `Chromium told nothing within ${SECONDS} s` }), SECONDS * 1000);
    try {
        return await told;
    } finally {
        clearTimeout(timer);
        if (browser.pid !== undefined && browser.exitCode === null) {
            process.kill(-browser.pid, 'SIGKILL');
        }
        await ended;
        server.closeAllConnections();
        server.close();
        rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
    }
}

async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    given: string,
    take: (told: Record<string, unknown>) => void,
): Promise<void> {
    const reply = (type: string, body: string | Buffer): void => {
        response.setHeader('Content-Type', `${type}; charset=utf-8`);
        response.end(body);
    };
    const page = panelPage(`http://${request.headers.host}`);
    switch (request.url) {
        case '/':
            return reply('text/html', '<!DOCTYPE html><body><script src="/scenarios.js"></script>');
        case '/given':
            return reply('application/json', given);
        case '/told':
            take(JSON.parse(await text(request)) as Record<string, unknown>);
            return reply('text/plain', '');
        case '/panel.html':
            return reply('text/html', page);
        case '/injected.html':
            return reply('text/html', page.replace('</body>', `${INJECTED}</body>`));
        case '/injected-without-policy.html':
            return reply('text/html', page.replace(/<meta http-equiv[^>]*>/, '').replace('</body>', `${INJECTED}</body>`));
        case '/stub.js':
            return reply('text/javascript', STUB);
        case '/page.js':
        case '/panel.css':
            return reply(request.url.endsWith('css') ? 'text/css' : 'text/javascript', readFileSync(join(OUT, 'panel', request.url)));
        case '/scenarios.js':
            return reply('text/javascript', readFileSync(join(OUT, 'test', 'page', request.url)));
        default:
            response.statusCode = 404;
            return reply('text/plain', '');
    }
}

/** The page, with a stand-in for what VS Code gives to webviews. */
function panelPage(source: string): string {
    const page = panelHtml({
        source,
        script: '/page.js',
        style: '/panel.css',
        nonce: NONCE,
        language: 'en',
        title: 'Results',
    });
    return page.replace('<script', `<script nonce="${NONCE}" src="/stub.js"></script><script`);
}

async function text(request: IncomingMessage): Promise<string> {
    let received = '';
    for await (const part of request.setEncoding('utf8')) {
        received += part as string;
    }
    return received;
}
