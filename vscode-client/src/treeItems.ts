// How the nodes of the view of scanned files look.

import * as vscode from 'vscode';
import { badgeUri } from './badges';
import { filesIn, total, type FileNode, type FolderNode, type Node } from './fileNodes';
import type { Group, Place, StatusNames } from './scanResult';
import { inShort, inWords, statusIcon } from './statusTexts';

export interface GroupNode {
    readonly kind: 'group';
    readonly uri: vscode.Uri;
    readonly group: Group;
}

export interface PlaceNode {
    readonly kind: 'place';
    readonly uri: vscode.Uri;
    readonly place: Place;
}

export type ViewNode = Node | GroupNode | PlaceNode;
export type OpenableNode = FileNode | GroupNode | PlaceNode;

const HAS_PROBLEMS = '⚠';
/** Folders with more are left for the user to open. */
const MOST_FILES_EXPANDED = 20;

export function treeItem(node: ViewNode, names: StatusNames): vscode.TreeItem {
    switch (node.kind) {
        case 'folder':
            return folderItem(node, names);
        case 'file':
            return fileItem(node, names);
        case 'group':
            return groupItem(node);
        case 'place':
            return placeItem(node);
    }
}

function folderItem(node: FolderNode, names: StatusNames): vscode.TreeItem {
    const isLarge = filesIn(node.children).length > MOST_FILES_EXPANDED;
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(node.name, isLarge ? Collapsed : Expanded);
    item.id = `folder:${node.path}`;
    item.resourceUri = badgeUri(node.path);
    item.iconPath = vscode.ThemeIcon.Folder;
    item.description = inShort(node.counts);
    item.tooltip = [node.path, ...inWords(node.counts, names)].join('\n');
    item.contextValue = 'folder';
    return item;
}

function fileItem(node: FileNode, names: StatusNames): vscode.TreeItem {
    const item = new vscode.TreeItem(node.name, collapsed(total(node.counts) > 0));
    const problems = node.file.problems;
    item.id = `file:${node.path}`;
    item.resourceUri = badgeUri(node.path);
    item.iconPath = vscode.ThemeIcon.File;
    item.description = joined(inShort(node.counts), problems.length > 0 ? HAS_PROBLEMS : '');
    item.tooltip = [node.path, ...inWords(node.counts, names), ...problems.map((each) => each.message)].join('\n');
    item.command = opening(node);
    item.contextValue = 'file';
    return item;
}

function groupItem(node: GroupNode): vscode.TreeItem {
    const { api, targets, status, code, message, places } = node.group;
    const item = new vscode.TreeItem(api, collapsed(places.length > 1));
    item.iconPath = statusIcon(status);
    item.description = joined(targets === '' ? '' : `→ ${targets}`, places.length > 1 ? `×${places.length}` : '');
    item.tooltip = `${code}: ${message}`;
    item.command = opening(node);
    return item;
}

function placeItem(node: PlaceNode): vscode.TreeItem {
    const line = node.place.range.start.line + 1;
    const { cell } = node.place;
    const label = cell === undefined ? vscode.l10n.t('Line {0}', line) : vscode.l10n.t('Cell {0}, line {1}', cell, line);
    const item = new vscode.TreeItem(label);
    item.command = opening(node);
    return item;
}

function joined(...parts: readonly string[]): string {
    return parts.filter((part) => part !== '').join('  ');
}

function collapsed(hasChildren: boolean): vscode.TreeItemCollapsibleState {
    return hasChildren ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
}

function opening(node: OpenableNode): vscode.Command {
    return { command: 'mindport.openFinding', title: '', arguments: [node] };
}
