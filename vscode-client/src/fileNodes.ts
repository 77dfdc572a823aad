// The tree of the scanned files: folders inside folders, those with a single entry drawn together.
// No `vscode` here.

import { STATUSES, type Counts, type ScannedFile, type Status } from './scanResult';

/** Which files are shown, and which of their findings are counted. */
export interface Filter {
    readonly statuses: readonly Status[];
    /** Whether files that have no findings at all are shown. */
    readonly clean: boolean;
}

export const EVERYTHING: Filter = { statuses: STATUSES, clean: true };

export interface FileNode {
    readonly kind: 'file';
    readonly name: string;
    readonly path: string;
    readonly counts: Counts;
    readonly file: ScannedFile;
}

export interface FolderNode {
    readonly kind: 'folder';
    readonly name: string;
    readonly path: string;
    readonly counts: Counts;
    readonly children: readonly Node[];
}

export type Node = FileNode | FolderNode;

/** The files that the filter shows, in their folders; folders first, in the order people expect. */
export function fileNodes(files: readonly ScannedFile[], filter: Filter): readonly Node[] {
    const top: Folder = { folders: new Map(), files: [] };
    for (const file of files) {
        if (isShown(file, filter)) {
            put(top, file, filter);
        }
    }
    return childrenOf(top, '');
}

/** All files among these nodes and below them. */
export function filesIn(nodes: readonly Node[]): readonly FileNode[] {
    return nodes.flatMap((node) => (node.kind === 'file' ? [node] : filesIn(node.children)));
}

/** The addresses of the files that are meant by a node. */
export function urisOf(node: Node): readonly string[] {
    return filesIn([node]).map((file) => file.file.uri);
}

/** The sum of all counts. */
export function total(counts: Counts): number {
    return Object.values(counts).reduce((sum, number) => sum + number, 0);
}

/** All counts together. */
export function added(every: readonly Counts[]): Counts {
    const sums = STATUSES.map((status) => [status, every.reduce((sum, each) => sum + (each[status] ?? 0), 0)] as const);
    return Object.fromEntries(sums.filter(([, sum]) => sum > 0));
}

/** Whether the filter lets everything through. */
export function isEverything(filter: Filter): boolean {
    return filter.clean && filter.statuses.length === STATUSES.length;
}

interface Folder {
    readonly folders: Map<string, Folder>;
    readonly files: FileNode[];
}

const NAMES = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function isShown(file: ScannedFile, filter: Filter): boolean {
    const hasNone = total(file.findings) === 0;
    return file.problems.length > 0 || (hasNone ? filter.clean : total(chosen(file.findings, filter)) > 0);
}

function chosen(counts: Counts, filter: Filter): Counts {
    return added([Object.fromEntries(filter.statuses.map((status) => [status, counts[status] ?? 0]))]);
}

function put(top: Folder, file: ScannedFile, filter: Filter): void {
    const parts = file.path.split('/');
    const name = parts.pop() ?? file.path;
    let folder = top;
    for (const part of parts) {
        const inner: Folder = folder.folders.get(part) ?? { folders: new Map(), files: [] };
        folder.folders.set(part, inner);
        folder = inner;
    }
    folder.files.push({ kind: 'file', name, path: file.path, counts: chosen(file.findings, filter), file });
}

function childrenOf(folder: Folder, path: string): readonly Node[] {
    const folders = [...folder.folders].map(([name, inner]) => folderNode(inner, name, `${path}${name}`));
    return [...folders.sort(byName), ...folder.files.sort(byName)];
}

function folderNode(folder: Folder, name: string, path: string): FolderNode {
    const [only, ...others] = folder.folders;
    if (only !== undefined && others.length === 0 && folder.files.length === 0) {
        return folderNode(only[1], `${name}/${only[0]}`, `${path}/${only[0]}`);
    }
    const children = childrenOf(folder, `${path}/`);
    return { kind: 'folder', name, path, counts: added(children.map((child) => child.counts)), children };
}

function byName(one: Node, other: Node): number {
    return NAMES.compare(one.name, other.name);
}
