package io.holdfast.deadletter;

/** Text of users as every store can keep it. */
final class StorableText {

    static final String TRUNCATED = "… (truncated)";

    private StorableText() {}

    /**
     * No database keeps the character 0, and half a surrogate pair cannot be written as UTF-8. What was cut before is not cut
     * again, so that it is read as it was written.
     */
    static String of(String text, int limit) {
        boolean wasCut = text.endsWith(TRUNCATED) && text.length() <= limit + 1 + TRUNCATED.length();
        boolean isCut = text.length() > limit && !wasCut;
        StringBuilder kept = new StringBuilder();
        int next;
        for (int i = 0; i < text.length() && (!isCut || kept.length() < limit); i += Character.charCount(next)) {
            next = text.codePointAt(i);
            boolean isWhole = next != 0 && Character.getType(next) != Character.SURROGATE;
            kept.appendCodePoint(isWhole ? next : '\uFFFD');
        }
        return isCut ? kept.append(TRUNCATED).toString() : kept.toString();
    }
}
