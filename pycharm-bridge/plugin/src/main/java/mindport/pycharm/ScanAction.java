package mindport.pycharm;

import com.intellij.openapi.actionSystem.ActionUpdateThread;
import com.intellij.openapi.actionSystem.AnAction;
import com.intellij.openapi.actionSystem.AnActionEvent;
import com.intellij.openapi.actionSystem.CommonDataKeys;
import com.intellij.openapi.fileEditor.FileDocumentManager;
import com.intellij.openapi.progress.ProgressIndicator;
import com.intellij.openapi.progress.Task;
import com.intellij.openapi.project.Project;
import com.intellij.openapi.ui.Messages;
import com.intellij.openapi.vfs.VirtualFile;
import com.intellij.platform.lsp.api.LspServer;
import com.intellij.platform.lsp.api.LspServerManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.lsp4j.ExecuteCommandParams;

/** Has the server write a report on what is selected, and shows it. */
public final class ScanAction extends AnAction {
    private static final int MILLISECONDS = 600_000;

    @Override
    public ActionUpdateThread getActionUpdateThread() {
        return ActionUpdateThread.BGT;
    }

    @Override
    public void update(AnActionEvent event) {
        event.getPresentation().setEnabledAndVisible(event.getProject() != null && files(event).length > 0);
    }

    @Override
    public void actionPerformed(AnActionEvent event) {
        Project project = event.getProject();
        List<String> places = new ArrayList<>();
        for (VirtualFile file : files(event)) {
            places.add(Path.of(file.getPath()).toUri().toString());
        }
        if (project != null) {
            FileDocumentManager.getInstance().saveAllDocuments(); // the report is about the files on disk
            new Scan(project, places).queue();
        }
    }

    private static VirtualFile[] files(AnActionEvent event) {
        VirtualFile[] files = event.getData(CommonDataKeys.VIRTUAL_FILE_ARRAY);
        return files == null ? new VirtualFile[0] : files;
    }

    /** The scan, beside the user's work. */
    private static final class Scan extends Task.Backgroundable {
        private final List<String> places;
        private Path report;
        private String problem = "";

        Scan(Project project, List<String> places) {
            super(project, "MindPort", true);
            this.places = places;
        }

        @Override
        public void run(ProgressIndicator indicator) {
            LspServer server = LspServerManager.getInstance(getProject())
                    .getServersForProvider(MindPortSupport.class).stream().findFirst().orElse(null);
            if (server == null) {
                problem = "Open a Python file first: that starts MindPort. 请先打开一个 Python 文件以启动 MindPort。";
                return;
            }
            try {
                Path file = Files.createTempFile("mindport-", ".html");
                ExecuteCommandParams order = new ExecuteCommandParams(
                        "mindport.exportReport", List.of("html", file.toUri().toString(), places));
                Object done = server.sendRequestSync(
                        MILLISECONDS, each -> each.getWorkspaceService().executeCommand(order));
                if (done == null) {
                    problem = "MindPort gave no report; see the IDE's log. MindPort 未生成报告，请查看 IDE 日志。";
                } else {
                    report = file;
                }
            } catch (IOException error) {
                problem = error.toString();
            }
        }

        @Override
        public void onSuccess() {
            if (report != null) {
                ReportWindow.show(getProject(), report);
            } else {
                Messages.showErrorDialog(getProject(), problem, "MindPort");
            }
        }
    }
}
