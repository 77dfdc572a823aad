package com.intellij.openapi.progress;

import com.intellij.openapi.project.Project;

public abstract class Task {
    public final Project getProject() {
        return null;
    }

    public final void queue() {}

    public abstract void run(ProgressIndicator indicator);

    public void onSuccess() {}

    public abstract static class Backgroundable extends Task {
        public Backgroundable(Project project, String title, boolean canBeCancelled) {}
    }
}
