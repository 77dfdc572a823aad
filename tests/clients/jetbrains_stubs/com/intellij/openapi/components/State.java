package com.intellij.openapi.components;

public @interface State {
    String name();

    Storage[] storages() default {};
}
