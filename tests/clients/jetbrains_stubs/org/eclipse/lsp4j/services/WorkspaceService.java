package org.eclipse.lsp4j.services;

import java.util.concurrent.CompletableFuture;
import org.eclipse.lsp4j.ExecuteCommandParams;

public interface WorkspaceService {
    CompletableFuture<Object> executeCommand(ExecuteCommandParams params);
}
