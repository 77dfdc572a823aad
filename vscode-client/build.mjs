// Builds the extension into out/. `node build.mjs test` builds the unit tests into out/test/ instead,
// `node build.mjs folder` makes the folder that the package goes to.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(here);

const common = {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    logLevel: 'warning',
};

async function buildExtension() {
    rmSync('out/extension.js', { force: true });
    const result = await build({
        ...common,
        entryPoints: ['src/extension.ts'],
        outfile: 'out/extension.js',
        minify: true,
        metafile: true,
    });
    writeFileSync('out/THIRD-PARTY-NOTICES.txt', notices(Object.keys(result.metafile.inputs)));
}

/** What runs in a browser: the page of the result panel. */
const inBrowser = { bundle: true, platform: 'browser', format: 'iife', target: 'es2022', logLevel: 'warning' };

async function buildPanel() {
    rmSync('out/panel', { recursive: true, force: true });
    const entryPoints = ['src/panel/page.ts', 'src/panel/panel.css'];
    await build({ ...inBrowser, entryPoints, outdir: 'out/panel', minify: true });
}

/** The pages of the rules, so that links to them work offline. */
function copyRules() {
    rmSync('out/rules', { recursive: true, force: true });
    cpSync('../docs/rules', 'out/rules', { recursive: true });
}

async function buildTests() {
    rmSync('out/test', { recursive: true, force: true });
    const tests = readdirSync('test').filter((name) => name.endsWith('.test.ts'));
    await build({
        ...common,
        entryPoints: tests.map((name) => join('test', name)),
        outdir: 'out/test',
        sourcemap: 'inline',
    });
    await build({ ...inBrowser, entryPoints: ['test/page/scenarios.ts'], outdir: 'out/test/page' });
}

/** The licence of every package whose files went into the bundle. */
function notices(inputs) {
    const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined));
    const parts = [...folders].sort().map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
        if (file === undefined) {
            throw new Error(`${name} ${version} has no licence file: it cannot be bundled`);
        }
        const text = readFileSync(join(folder, file), 'utf8').trim();
        return `${name} ${version} (${license})\n\n${text}\n`;
    });
    return `This extension contains the following packages.\n\n${parts.join(`\n${'-'.repeat(78)}\n\n`)}`;
}

function packageFolder(input) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    return match !== null && existsSync(join(match[1], 'package.json')) ? match[1] : undefined;
}

switch (process.argv[2]) {
    case undefined:
        await buildExtension();
        await buildPanel();
        copyRules();
        break;
    case 'test':
        await buildTests();
        await buildPanel();
        break;
    case 'folder':
        mkdirSync(join('..', 'dist'), { recursive: true });
        break;
    default:
        throw new Error(`unknown argument: ${process.argv[2]}`);
}
