package com.intellij.platform.lsp.api;

import com.intellij.openapi.project.Project;
import com.intellij.openapi.vfs.VirtualFile;

public interface LspServerSupportProvider {
    void fileOpened(Project project, VirtualFile file, LspServerStarter starter);

    interface LspServerStarter {
        void ensureServerStarted(LspServerDescriptor descriptor);
    }
}
