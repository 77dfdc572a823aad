// What VS Code calls when a Python file is opened, and the commands and events it leads to.

import * as vscode from 'vscode';
import { analyzeProject } from './analyzeProject';
import { searchForApi } from './apiSearch';
import { ClassLenses, convertClass } from './classLenses';
import { ConvertView } from './convertView';
import { explainError, explainErrorInTerminal } from './explainError';
import { reportIssue, showDebugInformation } from './debugInformation';
import { ExplanationPages } from './explanations';
import { urisOf, type Node } from './fileNodes';
import { FilesView } from './filesView';
import { stated } from './interpreter';
import { leveled } from './log';
import { newProject } from './newProject';
import { watchActiveInterpreter } from './pythonExtension';
import { ResultPanel } from './resultPanel';
import { RulePages } from './rulePages';
import { selectInterpreter } from './selectInterpreter';
import { Scans } from './scans';
import { Server } from './server';
import { START_SETTINGS, startSettings } from './settings';
import { StatusItem } from './statusItem';
import { TargetItem } from './targetItem';
import { TargetQuestion } from './targetQuestion';
import type { OpenableNode } from './treeItems';

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    const output = leveled(vscode.window.createOutputChannel('MindPort', { log: true }));
    const rules = new RulePages(context.extensionUri);
    const running = new Server(context, output, rules);
    server = running;
    const pages = new ExplanationPages(running);
    const target = new TargetItem(running, output);
    const scans = new Scans(running);
    const conversion = new ConvertView(running);
    const files = new FilesView(running, scans, context.workspaceState, output);
    const results = new ResultPanel(context.extensionUri, running, scans, pages);
    const restart = () => running.restart();
    const restartIfFree = () => {
        const { path, interpreter } = startSettings();
        if (path.length === 0 && stated(interpreter).length === 0) {
            void restart();
        }
    };
    context.subscriptions.push(
        output,
        rules,
        running,
        vscode.commands.registerCommand('mindport.restart', restart),
        vscode.commands.registerCommand('mindport.showOutput', () => output.show()),
        vscode.commands.registerCommand('mindport.showDebugInformation', () =>
            showDebugInformation(running, context.extension),
        ),
        vscode.commands.registerCommand('mindport.reportIssue', () => reportIssue(running, context.extension)),
        new ClassLenses(running),
        vscode.commands.registerCommand('mindport.convertThisClass', convertClass),
        vscode.commands.registerCommand('mindport.fixAll', () =>
            vscode.commands.executeCommand('editor.action.sourceAction', {
                kind: 'source.fixAll.mindport',
                apply: 'first',
            }),
        ),
        vscode.commands.registerCommand('mindport.install', () => running.install()),
        vscode.commands.registerCommand('mindport.selectInterpreter', selectInterpreter),
        pages,
        target,
        new TargetQuestion(running, target, context.workspaceState),
        new StatusItem(running, target),
        vscode.commands.registerCommand('mindport.searchForApi', () => searchForApi(running, pages)),
        vscode.commands.registerCommand('mindport.analyze', () => analyzeProject(running)),
        vscode.commands.registerCommand('mindport.createProject', () => newProject(running)),
        vscode.commands.registerCommand('mindport.explainAnError', () => explainError(running, pages)),
        vscode.commands.registerCommand('mindport.explainTerminalError', () => explainErrorInTerminal(running, pages)),
        vscode.commands.registerCommand('mindport.chooseTarget', () => target.choose()),
        scans,
        files,
        results,
        vscode.commands.registerCommand('mindport.showResults', () => results.show()),
        vscode.commands.registerCommand('mindport.scanThisFile', (uri?: vscode.Uri) => scans.file(uri)),
        vscode.commands.registerCommand('mindport.scanSelected', (uri?: vscode.Uri, uris?: vscode.Uri[]) =>
            scans.selection(uri, uris),
        ),
        vscode.commands.registerCommand('mindport.scanWorkspace', () => scans.workspace()),
        vscode.commands.registerCommand('mindport.refreshFiles', () => files.refresh()),
        vscode.commands.registerCommand('mindport.filterFiles', () => files.changeFilter()),
        vscode.commands.registerCommand('mindport.changeFilter', () => files.changeFilter()),
        vscode.commands.registerCommand('mindport.openFinding', (node: OpenableNode) => files.open(node)),
        vscode.commands.registerCommand('mindport.scanListed', (node: Node) => scans.scan(urisOf(node))),
        vscode.commands.registerCommand('mindport.convertListed', (node: Node) => conversion.files(urisOf(node))),
        conversion,
        vscode.commands.registerCommand('mindport.convertThisFile', (uri?: vscode.Uri) => conversion.file(uri)),
        vscode.commands.registerCommand('mindport.convertSelected', (uri?: vscode.Uri, uris?: vscode.Uri[]) =>
            conversion.selection(uri, uris),
        ),
        vscode.commands.registerCommand('mindport.convertWorkspace', () => conversion.workspace()),
        vscode.commands.registerCommand('mindport.applyPreview', () => conversion.apply()),
        vscode.commands.registerCommand('mindport.reviewPreview', () => conversion.withReview()),
        vscode.commands.registerCommand('mindport.closePreview', () => conversion.close()),
        vscode.workspace.onDidChangeConfiguration((event) => onConfiguration(event, running)),
        vscode.workspace.onDidGrantWorkspaceTrust(async () => {
            await watchActiveInterpreter(context, output, restartIfFree);
            await restart();
        }),
    );
    void restart();
    await watchActiveInterpreter(context, output, restartIfFree);
}

export function deactivate(): Promise<void> | undefined {
    return server?.stop();
}

async function onConfiguration(event: vscode.ConfigurationChangeEvent, running: Server): Promise<void> {
    if (START_SETTINGS.some((name) => event.affectsConfiguration(`mindport.${name}`))) {
        await running.restart();
    } else if (event.affectsConfiguration('mindport')) {
        await running.sendSettings();
    }
}
