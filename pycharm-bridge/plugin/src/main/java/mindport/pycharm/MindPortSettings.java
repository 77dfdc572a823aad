package mindport.pycharm;

import com.intellij.openapi.application.ApplicationManager;
import com.intellij.openapi.components.PersistentStateComponent;
import com.intellij.openapi.components.State;
import com.intellij.openapi.components.Storage;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the user has set. An empty text leaves the word to the project's pyproject.toml. */
@State(name = "MindPort", storages = @Storage("mindport.xml"))
public final class MindPortSettings implements PersistentStateComponent<MindPortSettings> {
    public String command = "mindport";
    public String target = "";
    public String device = "";
    public String language = "";

    static MindPortSettings get() {
        return ApplicationManager.getApplication().getService(MindPortSettings.class);
    }

    /** The settings under the names that the server has for them. */
    Map<String, Object> forServer() {
        Map<String, Object> told = new LinkedHashMap<>();
        put(told, "target", target);
        put(told, "device", device);
        put(told, "language", language);
        return told;
    }

    private static void put(Map<String, Object> told, String name, String value) {
        if (!value.isEmpty()) {
            told.put(name, value);
        }
    }

    @Override
    public MindPortSettings getState() {
        return this;
    }

    @Override
    public void loadState(MindPortSettings saved) {
        command = saved.command;
        target = saved.target;
        device = saved.device;
        language = saved.language;
    }
}
