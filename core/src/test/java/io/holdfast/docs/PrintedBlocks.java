package io.holdfast.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the code of a guide prints, by the names of the blocks that the guide shows it in:
 *
 * <pre>{@code
 * <!-- printed: look -->
 * }</pre>
 */
final class PrintedBlocks {

    private static final Pattern BLOCK =
            Pattern.compile("<!-- printed: ([a-z ]+) -->\\n```text\\n(.*?)```", Pattern.DOTALL);

    private final Map<String, String> blocks = new LinkedHashMap<>();
    private String current = "";

    /** The blocks of a guide. */
    static Map<String, String> in(Path guide) throws IOException {
        Map<String, String> shown = new LinkedHashMap<>();
        Matcher found = BLOCK.matcher(Files.readString(guide));
        while (found.find()) {
            shown.put(found.group(1), found.group(2));
        }
        return shown;
    }

    void startBlock(String block) {
        current = block;
        blocks.put(block, "");
    }

    void addLine(Object text) {
        blocks.merge(current, text + "\n", String::concat);
    }

    Map<String, String> blocks() {
        return blocks;
    }

    /** For whoever runs the guide. */
    void print() {
        blocks.forEach((name, text) -> System.out.println("-- " + name + "\n" + text));
    }
}
