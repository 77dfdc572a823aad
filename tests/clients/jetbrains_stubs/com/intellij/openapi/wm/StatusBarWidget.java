package com.intellij.openapi.wm;

import com.intellij.util.Consumer;
import java.awt.event.MouseEvent;

public interface StatusBarWidget {
    String ID();

    default WidgetPresentation getPresentation() {
        return null;
    }

    interface WidgetPresentation {
        String getTooltipText();

        default Consumer<MouseEvent> getClickConsumer() {
            return null;
        }
    }

    interface TextPresentation extends WidgetPresentation {
        String getText();

        float getAlignment();
    }
}
