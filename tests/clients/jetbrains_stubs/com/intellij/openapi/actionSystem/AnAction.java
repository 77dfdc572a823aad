package com.intellij.openapi.actionSystem;

public abstract class AnAction {
    public ActionUpdateThread getActionUpdateThread() {
        return null;
    }

    public void update(AnActionEvent event) {}

    public abstract void actionPerformed(AnActionEvent event);
}
