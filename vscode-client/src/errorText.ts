// What was thrown, as the user reads it. No `vscode` here.

export function errorText(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
