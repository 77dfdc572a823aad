package com.intellij.ui.content;

public interface ContentManager {
    void addContent(Content content);

    void removeAllContents(boolean dispose);
}
