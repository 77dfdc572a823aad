package com.intellij.ide;

public final class BrowserUtil {
    public static void browse(String url) {}
}
