package com.intellij.openapi.components;

public @interface Storage {
    String value() default "";
}
