package com.intellij.platform.lsp.api;

import com.intellij.openapi.project.Project;

public abstract class ProjectWideLspServerDescriptor extends LspServerDescriptor {
    public ProjectWideLspServerDescriptor(Project project, String presentableName) {}
}
