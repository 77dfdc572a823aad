package com.intellij.openapi.actionSystem;

import com.intellij.openapi.project.Project;

public class AnActionEvent {
    public Project getProject() {
        return null;
    }

    public <T> T getData(DataKey<T> key) {
        return null;
    }

    public Presentation getPresentation() {
        return null;
    }
}
