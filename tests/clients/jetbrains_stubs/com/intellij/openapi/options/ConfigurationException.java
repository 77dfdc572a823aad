package com.intellij.openapi.options;

public class ConfigurationException extends Exception {}
