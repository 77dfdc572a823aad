package com.intellij.openapi.progress;

public interface ProgressIndicator {}
