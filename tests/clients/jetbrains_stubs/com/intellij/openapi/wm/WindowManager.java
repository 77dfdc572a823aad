package com.intellij.openapi.wm;

import com.intellij.openapi.project.Project;

public abstract class WindowManager {
    public static WindowManager getInstance() {
        return null;
    }

    public abstract StatusBar getStatusBar(Project project);
}
