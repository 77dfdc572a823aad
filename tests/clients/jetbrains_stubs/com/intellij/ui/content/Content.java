package com.intellij.ui.content;

import com.intellij.openapi.Disposable;

public interface Content {
    void setDisposer(Disposable disposer);
}
