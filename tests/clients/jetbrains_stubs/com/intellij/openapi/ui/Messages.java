package com.intellij.openapi.ui;

import com.intellij.openapi.project.Project;

public class Messages {
    public static void showErrorDialog(Project project, String message, String title) {}
}
