package com.intellij.openapi.actionSystem;

import com.intellij.openapi.vfs.VirtualFile;

public abstract class CommonDataKeys {
    public static final DataKey<VirtualFile[]> VIRTUAL_FILE_ARRAY = null;
}
