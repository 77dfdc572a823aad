package org.eclipse.lsp4j.services;

public interface LanguageServer {
    WorkspaceService getWorkspaceService();
}
