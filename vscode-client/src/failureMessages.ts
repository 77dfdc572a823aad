// The messages about a server that cannot be started, with a button for each way out.

import * as vscode from 'vscode';
import type { Failed } from './choose';
import type { Launcher } from './interpreter';

export class FailureMessages {
    /** Those that the user has not answered, each by something of its own. */
    private readonly unanswered = new Set<object>();

    constructor(
        private readonly context: vscode.ExtensionContext,
        private readonly output: vscode.LogOutputChannel,
    ) {}

    /** Shows that there is no server to start, with the buttons that help against the reason. */
    async noServer(message: string, { launcher, probe }: Failed): Promise<void> {
        if (launcher.origin === 'pathSetting') {
            await this.show(message, [settingsButton('mindport.path'), this.outputButton()]);
        } else if (probe.kind === 'notBundled') {
            await this.show(message, [installButton(), interpreterButton()]);
        } else if (probe.kind === 'installFailed') {
            await this.show(message, [installButton(), this.outputButton()]);
        } else {
            const isSet = launcher.origin === 'interpreterSetting';
            const remedy = isSet ? settingsButton('mindport.interpreter') : howToInstall(this.context);
            await this.show(message, [remedy, interpreterButton(), this.outputButton()]);
        }
    }

    /** Shows that a server which was found did not start. */
    async noStart(message: string, launcher: Launcher): Promise<void> {
        if (launcher.origin === 'pathSetting') {
            await this.show(message, [settingsButton('mindport.path'), this.outputButton()]);
        } else if (launcher.origin === 'private') {
            await this.show(message, [installButton(), this.outputButton()]);
        } else {
            await this.show(message, [bundledButton(), interpreterButton(), this.outputButton()]);
        }
    }

    /** Shows that the server stopped too often to be started again by itself. */
    async crashes(message: string, restart: () => Promise<void>): Promise<void> {
        await this.show(message, [{ title: vscode.l10n.t('Restart Server'), act: restart }, this.outputButton()]);
    }

    /**
     * Takes away what is said of a failure that is over. The API has no way to close one message: all that are on
     * the screen go to the list behind the bell, which is why it is done only if one of ours is among them.
     */
    async takeAway(): Promise<void> {
        if (this.unanswered.size > 0) {
            this.unanswered.clear();
            await vscode.commands.executeCommand('notifications.hideToasts');
        }
    }

    private async show(message: string, buttons: readonly Button[]): Promise<void> {
        this.unanswered.add(buttons);
        const chosen = await vscode.window.showErrorMessage(message, ...buttons);
        this.unanswered.delete(buttons);
        await chosen?.act();
    }

    private outputButton(): Button {
        return { title: vscode.l10n.t('Show Output'), act: () => this.output.show() };
    }
}

interface Button {
    readonly title: string;
    readonly act: () => Promise<void> | Thenable<void> | void;
}

function installButton(): Button {
    return {
        title: vscode.l10n.t('Install into a Private Environment'),
        act: () => vscode.commands.executeCommand('mindport.install'),
    };
}

function interpreterButton(): Button {
    return {
        title: vscode.l10n.t('Select Interpreter'),
        act: () => vscode.commands.executeCommand('mindport.selectInterpreter'),
    };
}

/** The mindport that the user installed is left alone from now on; the setting can be changed back. */
function bundledButton(): Button {
    return {
        title: vscode.l10n.t('Use the Bundled Server'),
        act: () =>
            vscode.workspace
                .getConfiguration('mindport')
                .update('importStrategy', 'useBundled', vscode.ConfigurationTarget.Global),
    };
}

function settingsButton(name: string): Button {
    return { title: vscode.l10n.t('Open Settings'), act: () => openSettings(name) };
}

function howToInstall(context: vscode.ExtensionContext): Button {
    return { title: vscode.l10n.t('How to Install'), act: () => showInstallation(context) };
}

/** On a remote machine, the page of that machine's settings: these settings are some of them. */
async function openSettings(name: string): Promise<void> {
    const isRemote = vscode.env.remoteName !== undefined;
    const command = isRemote ? 'workbench.action.openRemoteSettings' : 'workbench.action.openSettings';
    await vscode.commands.executeCommand(command, isRemote ? { query: name } : name);
}

async function showInstallation(context: vscode.ExtensionContext): Promise<void> {
    const name = vscode.env.language.startsWith('zh') ? 'install.zh-cn.md' : 'install.md';
    const page = vscode.Uri.joinPath(context.extensionUri, 'pages', name);
    await vscode.commands.executeCommand('markdown.showPreview', page);
}
