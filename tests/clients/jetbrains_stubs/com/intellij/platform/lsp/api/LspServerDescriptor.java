package com.intellij.platform.lsp.api;

import com.intellij.execution.configurations.GeneralCommandLine;
import com.intellij.openapi.project.Project;
import com.intellij.openapi.vfs.VirtualFile;
import org.eclipse.lsp4j.ConfigurationItem;

public abstract class LspServerDescriptor {
    public final Project getProject() {
        return null;
    }

    public abstract boolean isSupportedFile(VirtualFile file);

    public GeneralCommandLine createCommandLine() {
        return null;
    }

    public Object createInitializationOptions() {
        return null;
    }

    public Object getWorkspaceConfiguration(ConfigurationItem item) {
        return null;
    }
}
