// The target in the status bar. What may be chosen, and what is in force, the server says.

import * as vscode from 'vscode';
import { errorText } from './errorText';
import type { Server } from './server';

export interface Choices {
    readonly target: string;
    readonly device: string;
    readonly is_default: boolean;
    readonly versions: readonly string[];
    readonly devices: readonly string[];
}

/** Devices as MindSpore writes them, by their values in the settings. */
const DEVICES: Readonly<Record<string, string>> = { ascend: 'Ascend', gpu: 'GPU', cpu: 'CPU' };

/** The name of a device, by its value in the settings. */
export function nameOf(device: string): string {
    return DEVICES[device] ?? device;
}

export class TargetItem implements vscode.Disposable {
    private readonly item = vscode.window.createStatusBarItem('mindport.target', vscode.StatusBarAlignment.Right);
    private readonly watching: vscode.Disposable;
    private readonly changes = new vscode.EventEmitter<void>();

    constructor(
        private readonly server: Server,
        private readonly output: vscode.LogOutputChannel,
    ) {
        this.item.name = 'MindPort';
        this.item.command = 'mindport.chooseTarget';
        this.item.tooltip = vscode.l10n.t('MindPort: target MindSpore version and device');
        this.watching = server.onDidChange(() => void this.refresh());
    }

    /** Fires when another target is shown, or none. */
    get onDidChange(): vscode.Event<void> {
        return this.changes.event;
    }

    /** The target as it is shown; empty while none is. */
    get text(): string {
        return this.item.text;
    }

    /** Lets the user choose a version, listed or typed, and then a device. */
    async choose(): Promise<void> {
        try {
            const choices = await this.server.execute<Choices>('mindport.target');
            const target = await pickVersion(choices);
            if (target !== undefined && !choices.versions.includes(target)) {
                // Typed: whether there is such a version is told before anything else is asked.
                await this.server.execute('mindport.setTarget', { target });
                await this.refresh();
            }
            const device = target === undefined ? undefined : await pickDevice(choices);
            if (device !== undefined) {
                await this.server.execute('mindport.setTarget', { target, device });
                await keep({ target, device });
                await this.refresh();
            }
        } catch (error) {
            void vscode.window.showErrorMessage(errorText(error));
        }
    }

    dispose(): void {
        this.watching.dispose();
        this.changes.dispose();
        this.item.dispose();
    }

    private async refresh(): Promise<void> {
        this.item.text = await this.describe();
        if (this.item.text === '') {
            this.item.hide();
        } else {
            this.item.show();
        }
        this.changes.fire();
    }

    private async describe(): Promise<string> {
        if (!this.server.isRunning) {
            return '';
        }
        try {
            const { target, device } = await this.server.execute<Choices>('mindport.target');
            return `MindSpore ${target} · ${nameOf(device)}`;
        } catch (error) {
            this.output.warn(`The target cannot be shown: ${String(error)}`);
            return '';
        }
    }
}

/** Writes what was chosen to the workspace's settings, so that it stays; to the user's, where nothing is open. */
async function keep(chosen: { readonly target?: string; readonly device: string }): Promise<void> {
    const isWorkspace = vscode.workspace.workspaceFolders !== undefined || vscode.workspace.workspaceFile !== undefined;
    const place = isWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    const settings = vscode.workspace.getConfiguration('mindport');
    for (const [name, value] of Object.entries(chosen)) {
        if (settings.get(name) !== value) {
            await settings.update(name, value, place);
        }
    }
}

function pickVersion(choices: Choices): Promise<string | undefined> {
    const pick = vscode.window.createQuickPick();
    const listed = choices.versions.map((label) => item(label, choices.target));
    pick.title = vscode.l10n.t('MindSpore version');
    pick.placeholder = vscode.l10n.t('Choose a version, or type one');
    pick.items = listed;
    pick.activeItems = listed.filter((each) => each.label === choices.target);
    pick.onDidChangeValue((typed) => {
        const isListed = typed === '' || choices.versions.includes(typed);
        pick.items = isListed ? listed : [{ label: typed }, ...listed];
    });
    return new Promise((resolve) => {
        pick.onDidAccept(() => {
            // Who types fast is ahead of the list.
            resolve(pick.activeItems[0]?.label ?? (pick.value.trim() || undefined));
            pick.hide();
        });
        pick.onDidHide(() => {
            resolve(undefined);
            pick.dispose();
        });
        pick.show();
    });
}

async function pickDevice(choices: Choices): Promise<string | undefined> {
    const inForceFirst = [...choices.devices].sort(
        (one, other) => Number(other === choices.device) - Number(one === choices.device),
    );
    const items = inForceFirst.map((device) => ({ ...item(nameOf(device), nameOf(choices.device)), device }));
    const title = vscode.l10n.t('Device');
    const placeHolder = vscode.l10n.t('Choose the device');
    return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.device;
}

/** A choice, marked if it is the one in force. */
function item(label: string, inForce: string): vscode.QuickPickItem {
    return label === inForce ? { label, iconPath: new vscode.ThemeIcon('check') } : { label };
}
