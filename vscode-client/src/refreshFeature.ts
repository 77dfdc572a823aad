// Tells the server that we want to hear when scanned files may be out of date, and listens for that.

import type { BaseLanguageClient, ClientCapabilities, FeatureState, StaticFeature } from 'vscode-languageclient';

export class RefreshFeature implements StaticFeature {
    constructor(
        private readonly client: BaseLanguageClient,
        private readonly heard: () => void,
    ) {}

    fillClientCapabilities(capabilities: ClientCapabilities): void {
        const others: unknown = capabilities.experimental;
        capabilities.experimental = { ...(others ?? {}), mindport: { refresh: true } };
    }

    initialize(): void {
        this.client.onNotification('mindport/refresh', this.heard);
    }

    getState(): FeatureState {
        return { kind: 'static' };
    }

    clear(): void {
        // The client ends its listening by itself.
    }
}
