package com.intellij.execution.configurations;

public class GeneralCommandLine {
    public GeneralCommandLine(String... command) {}

    public GeneralCommandLine withWorkDirectory(String path) {
        return this;
    }
}
