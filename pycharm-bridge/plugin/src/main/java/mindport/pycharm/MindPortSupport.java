package mindport.pycharm;

import com.intellij.openapi.project.Project;
import com.intellij.openapi.vfs.VirtualFile;
import com.intellij.platform.lsp.api.LspServerSupportProvider;

/** Starts the server when a Python file is opened. */
public final class MindPortSupport implements LspServerSupportProvider {
    static boolean isPython(VirtualFile file) {
        return "py".equals(file.getExtension()) || "pyi".equals(file.getExtension());
    }

    @Override
    public void fileOpened(Project project, VirtualFile file, LspServerStarter starter) {
        if (isPython(file)) {
            starter.ensureServerStarted(new MindPortServer(project));
        }
    }
}
