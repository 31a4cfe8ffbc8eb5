package io.holdfast.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Collects the output of a guide's code, by the name of the block in which the guide shows it. Not thread-safe.
 *
 * <pre>{@code
 * <!-- printed: inspect -->
 * }</pre>
 */
final class PrintedBlocks {

    private static final Pattern BLOCK =
            Pattern.compile("<!-- printed: ([a-z ]+) -->\\n```text\\n(.*?)```", Pattern.DOTALL);

    private final Map<String, String> blocks = new LinkedHashMap<>();
    private String current = "";

    /** Returns the blocks that a guide shows, in order. */
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

    /** Prints all blocks for a reader who runs the guide. */
    void print() {
        blocks.forEach((name, text) -> System.out.println("-- " + name + "\n" + text));
    }
}
