package com.intellij.openapi.application;

public interface Application {
    <T> T getService(Class<T> service);
}
