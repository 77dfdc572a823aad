package com.intellij.ui.content;

import javax.swing.JComponent;

public interface ContentFactory {
    static ContentFactory getInstance() {
        return null;
    }

    Content createContent(JComponent component, String title, boolean lockable);
}
