package com.intellij.openapi.vfs;

public abstract class VirtualFile {
    public String getExtension() {
        return null;
    }

    public abstract String getPath();
}
