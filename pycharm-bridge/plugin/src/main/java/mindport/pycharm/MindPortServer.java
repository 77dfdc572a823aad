package mindport.pycharm;

import com.intellij.execution.configurations.GeneralCommandLine;
import com.intellij.openapi.project.Project;
import com.intellij.openapi.vfs.VirtualFile;
import com.intellij.platform.lsp.api.ProjectWideLspServerDescriptor;
import org.eclipse.lsp4j.ConfigurationItem;

/** One server per project. */
final class MindPortServer extends ProjectWideLspServerDescriptor {
    MindPortServer(Project project) {
        super(project, "MindPort");
    }

    @Override
    public boolean isSupportedFile(VirtualFile file) {
        return MindPortSupport.isPython(file);
    }

    @Override
    public GeneralCommandLine createCommandLine() {
        return new GeneralCommandLine(MindPortSettings.get().command, "serve", "--stdio")
                .withWorkDirectory(System.getProperty("user.home")); // never the project, whatever lies there
    }

    @Override
    public Object createInitializationOptions() {
        return MindPortSettings.get().forServer();
    }

    @Override
    public Object getWorkspaceConfiguration(ConfigurationItem item) {
        return "mindport".equals(item.getSection()) ? MindPortSettings.get().forServer() : null;
    }
}
