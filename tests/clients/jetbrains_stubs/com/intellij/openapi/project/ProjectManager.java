package com.intellij.openapi.project;

public abstract class ProjectManager {
    public static ProjectManager getInstance() {
        return null;
    }

    public abstract Project[] getOpenProjects();
}
