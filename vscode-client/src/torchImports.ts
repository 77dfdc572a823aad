// Whether a text of Python is about PyTorch. No `vscode` here.

const IMPORT = /^[ \t]*(?:import|from)[ \t]+(?:torch|torchvision|torchaudio|torchtext)\b/mu;

export function importsTorch(text: string): boolean {
    return IMPORT.test(text);
}
