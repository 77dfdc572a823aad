package com.intellij.openapi.wm;

import com.intellij.openapi.project.Project;

public abstract class ToolWindowManager {
    public static ToolWindowManager getInstance(Project project) {
        return null;
    }

    public abstract ToolWindow getToolWindow(String id);
}
