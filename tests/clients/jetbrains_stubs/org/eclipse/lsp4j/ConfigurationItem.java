package org.eclipse.lsp4j;

public class ConfigurationItem {
    public String getSection() {
        return null;
    }
}
