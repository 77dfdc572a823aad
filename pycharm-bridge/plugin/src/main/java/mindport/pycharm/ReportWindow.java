package mindport.pycharm;

import com.intellij.ide.BrowserUtil;
import com.intellij.openapi.project.Project;
import com.intellij.openapi.wm.ToolWindow;
import com.intellij.openapi.wm.ToolWindowFactory;
import com.intellij.openapi.wm.ToolWindowManager;
import com.intellij.ui.content.Content;
import com.intellij.ui.content.ContentFactory;
import com.intellij.ui.jcef.JBCefApp;
import com.intellij.ui.jcef.JBCefBrowser;
import java.nio.file.Path;
import javax.swing.JLabel;

/** The tool window with the last report. */
public final class ReportWindow implements ToolWindowFactory {
    @Override
    public void createToolWindowContent(Project project, ToolWindow window) {
        JLabel hint = new JLabel("Scan with MindPort: in the context menu. 右键菜单：Scan with MindPort。");
        window.getContentManager().addContent(ContentFactory.getInstance().createContent(hint, "", false));
    }

    /** Show a report; where the IDE has no browser of its own, in the user's. */
    static void show(Project project, Path report) {
        String address = report.toUri().toString();
        ToolWindow window = ToolWindowManager.getInstance(project).getToolWindow("MindPort");
        if (window == null || !JBCefApp.isSupported()) {
            BrowserUtil.browse(address);
            return;
        }
        JBCefBrowser browser = new JBCefBrowser(address);
        Content content = ContentFactory.getInstance().createContent(browser.getComponent(), "", false);
        content.setDisposer(browser);
        window.getContentManager().removeAllContents(true);
        window.getContentManager().addContent(content);
        window.activate(null);
    }
}
