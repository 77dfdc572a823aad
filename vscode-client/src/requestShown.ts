// A command of the server whose progress is shown, and which can be cancelled there.

import { randomUUID } from 'node:crypto';
import type { CancellationToken, Progress } from 'vscode';
import {
    ExecuteCommandRequest,
    WorkDoneProgress,
    WorkDoneProgressCancelNotification,
    type BaseLanguageClient,
    type ExecuteCommandParams,
} from 'vscode-languageclient/node';

type Step = { message?: string; increment?: number };

/** Asks the server for a command, tells how far it is, and has it cancelled when the user wants that. */
export async function requestShown<Result>(
    client: BaseLanguageClient,
    command: ExecuteCommandParams,
    progress: Progress<Step>,
    cancellation: CancellationToken,
): Promise<Result> {
    const workDoneToken = randomUUID();
    let shown = 0;
    const listening = client.onProgress(WorkDoneProgress.type, workDoneToken, (step) => {
        if (step.kind !== 'end' && step.percentage !== undefined) {
            progress.report({ message: step.message, increment: step.percentage - shown });
            shown = step.percentage;
        }
    });
    const cancel = () => client.sendNotification(WorkDoneProgressCancelNotification.type, { token: workDoneToken });
    const cancelling = cancellation.onCancellationRequested(cancel);
    try {
        return await client.sendRequest<Result>(ExecuteCommandRequest.method, { ...command, workDoneToken });
    } finally {
        listening.dispose();
        cancelling.dispose();
    }
}
