package mindport.pycharm;

import com.intellij.openapi.options.ShowSettingsUtil;
import com.intellij.openapi.project.Project;
import com.intellij.openapi.wm.StatusBar;
import com.intellij.openapi.wm.StatusBarWidget;
import com.intellij.openapi.wm.StatusBarWidgetFactory;
import com.intellij.openapi.wm.WindowManager;
import com.intellij.util.Consumer;
import java.awt.event.MouseEvent;

/** The target in the status bar; a click opens the settings. */
public final class TargetWidgetFactory implements StatusBarWidgetFactory {
    static final String ID = "mindport.target";

    static void update(Project project) {
        StatusBar bar = WindowManager.getInstance().getStatusBar(project);
        if (bar != null) {
            bar.updateWidget(ID);
        }
    }

    @Override
    public String getId() {
        return ID;
    }

    @Override
    public String getDisplayName() {
        return "MindPort";
    }

    @Override
    public StatusBarWidget createWidget(Project project) {
        return new Widget(project);
    }

    private static final class Widget implements StatusBarWidget, StatusBarWidget.TextPresentation {
        private final Project project;

        Widget(Project project) {
            this.project = project;
        }

        @Override
        public String ID() {
            return ID;
        }

        @Override
        public WidgetPresentation getPresentation() {
            return this;
        }

        @Override
        public String getText() {
            MindPortSettings settings = MindPortSettings.get();
            String set = (settings.target + " " + settings.device).trim();
            return "MindSpore " + (set.isEmpty() ? "(pyproject.toml)" : set);
        }

        @Override
        public String getTooltipText() {
            return "What MindPort ports to 移植目标";
        }

        @Override
        public float getAlignment() {
            return 0;
        }

        @Override
        public Consumer<MouseEvent> getClickConsumer() {
            return click -> ShowSettingsUtil.getInstance().showSettingsDialog(project, MindPortConfigurable.class);
        }
    }
}
