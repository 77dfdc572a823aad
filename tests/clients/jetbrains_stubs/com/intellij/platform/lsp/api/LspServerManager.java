package com.intellij.platform.lsp.api;

import com.intellij.openapi.project.Project;
import java.util.Collection;

public interface LspServerManager {
    static LspServerManager getInstance(Project project) {
        return null;
    }

    Collection<LspServer> getServersForProvider(Class<? extends LspServerSupportProvider> provider);

    void stopAndRestartIfNeeded(Class<? extends LspServerSupportProvider> provider);
}
