package com.intellij.platform.lsp.api;

import java.util.concurrent.CompletableFuture;
import kotlin.jvm.functions.Function1;
import org.eclipse.lsp4j.services.LanguageServer;

public interface LspServer {
    <R> R sendRequestSync(int timeoutMs, Function1<? super LanguageServer, ? extends CompletableFuture<R>> sender);
}
