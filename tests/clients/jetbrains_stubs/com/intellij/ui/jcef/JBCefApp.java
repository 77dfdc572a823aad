package com.intellij.ui.jcef;

public final class JBCefApp {
    public static boolean isSupported() {
        return false;
    }
}
