package mindport.pycharm;

import com.intellij.openapi.options.Configurable;
import com.intellij.openapi.project.Project;
import com.intellij.openapi.project.ProjectManager;
import com.intellij.platform.lsp.api.LspServerManager;
import java.awt.GridLayout;
import java.util.Objects;
import javax.swing.JComboBox;
import javax.swing.JComponent;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.JTextField;

/** The page Settings | Tools | MindPort. */
public final class MindPortConfigurable implements Configurable {
    private final JTextField command = new JTextField();
    private final JTextField target = new JTextField();
    private final JComboBox<String> device = new JComboBox<>(new String[] {"", "ascend", "gpu", "cpu"});
    private final JComboBox<String> language = new JComboBox<>(new String[] {"", "en", "zh-cn"});

    @Override
    public String getDisplayName() {
        return "MindPort";
    }

    @Override
    public JComponent createComponent() {
        JPanel panel = new JPanel(new GridLayout(0, 2));
        add(panel, "Program 程序", command);
        add(panel, "MindSpore version 版本", target);
        add(panel, "Device 设备", device);
        add(panel, "Language 语言", language);
        return panel;
    }

    private static void add(JPanel panel, String label, JComponent field) {
        panel.add(new JLabel(label));
        panel.add(field);
    }

    @Override
    public boolean isModified() {
        MindPortSettings saved = MindPortSettings.get();
        return !(command.getText().equals(saved.command)
                && target.getText().equals(saved.target)
                && Objects.equals(device.getSelectedItem(), saved.device)
                && Objects.equals(language.getSelectedItem(), saved.language));
    }

    @Override
    public void apply() {
        MindPortSettings saved = MindPortSettings.get();
        saved.command = command.getText().trim();
        saved.target = target.getText().trim();
        saved.device = (String) device.getSelectedItem();
        saved.language = (String) language.getSelectedItem();
        for (Project project : ProjectManager.getInstance().getOpenProjects()) {
            LspServerManager.getInstance(project).stopAndRestartIfNeeded(MindPortSupport.class);
            TargetWidgetFactory.update(project);
        }
    }

    @Override
    public void reset() {
        MindPortSettings saved = MindPortSettings.get();
        command.setText(saved.command);
        target.setText(saved.target);
        device.setSelectedItem(saved.device);
        language.setSelectedItem(saved.language);
    }
}
