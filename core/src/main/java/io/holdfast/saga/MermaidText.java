package io.holdfast.saga;

import java.util.regex.Pattern;

/** Lines of a Mermaid diagram. Names are escaped, because they may contain characters with a meaning in Mermaid. */
public final class MermaidText {

    private static final Pattern END = Pattern.compile("\\bend\\b");

    private final StringBuilder text = new StringBuilder();

    public MermaidText(String kind) {
        text.append(kind).append('\n');
    }

    /** Appends a line, indented by this many levels. */
    public MermaidText line(int level, String line) {
        text.append("    ".repeat(level)).append(line).append('\n');
        return this;
    }

    /**
     * Returns a name with everything as an entity that is not a letter, a digit or harmless punctuation. The word
     * {@code end} is escaped too, because it would end a block.
     */
    public static String escape(String name) {
        StringBuilder escaped = new StringBuilder();
        name.codePoints().forEach(c -> {
            if (Character.isLetterOrDigit(c) || " ._-/(),".indexOf(c) >= 0) {
                escaped.appendCodePoint(c);
            } else {
                escaped.append('#').append(c).append(';');
            }
        });
        return END.matcher(escaped).replaceAll("#101;nd");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
