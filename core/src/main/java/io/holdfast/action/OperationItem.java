package io.holdfast.action;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;

/**
 * What an action operates on, other than a letter: a processor, a consumer group, a saga, and so on. Two actions on the
 * same one run one after the other.
 *
 * @param type for example {@code processor}
 * @param name unique within the type and the service, for example {@code orders}
 */
public record OperationItem(String type, String name) implements Action.Item {

    private static final int MAX_TYPE_LENGTH = 40;

    public OperationItem {
        Names.require("type of operation item", type);
        Names.require("name of operation item", name);
        if (type.length() > MAX_TYPE_LENGTH) {
            throw new PermanentException("type of operation item must have at most " + MAX_TYPE_LENGTH
                    + " characters, but has " + type.length());
        }
    }

    @Override
    public String lock() {
        return type + "~" + name;
    }
}
