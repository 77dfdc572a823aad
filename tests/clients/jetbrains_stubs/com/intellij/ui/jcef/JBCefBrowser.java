package com.intellij.ui.jcef;

import com.intellij.openapi.Disposable;
import javax.swing.JComponent;

public class JBCefBrowser implements Disposable {
    public JBCefBrowser(String url) {}

    public JComponent getComponent() {
        return null;
    }

    @Override
    public void dispose() {}
}
