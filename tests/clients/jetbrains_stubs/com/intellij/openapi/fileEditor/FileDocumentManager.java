package com.intellij.openapi.fileEditor;

public abstract class FileDocumentManager {
    public static FileDocumentManager getInstance() {
        return null;
    }

    public abstract void saveAllDocuments();
}
