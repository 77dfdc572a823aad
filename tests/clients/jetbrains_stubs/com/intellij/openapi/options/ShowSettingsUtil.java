package com.intellij.openapi.options;

import com.intellij.openapi.project.Project;

public abstract class ShowSettingsUtil {
    public static ShowSettingsUtil getInstance() {
        return null;
    }

    public abstract <T extends Configurable> void showSettingsDialog(Project project, Class<T> page);
}
