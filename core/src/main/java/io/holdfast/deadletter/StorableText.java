package io.holdfast.deadletter;

/** Makes user text storable in every store. */
final class StorableText {

    static final String TRUNCATED = "… (truncated)";

    private StorableText() {}

    /**
     * Truncates the text, and replaces NUL, which not every database can store, and unpaired surrogates, which UTF-8
     * cannot encode. Text that was already truncated is not truncated again, so a stored text is read back unchanged.
     */
    static String of(String text, int limit) {
        boolean wasCut = text.endsWith(TRUNCATED) && text.length() <= limit + 1 + TRUNCATED.length();
        boolean isCut = text.length() > limit && !wasCut;
        StringBuilder result = new StringBuilder();
        int next;
        for (int i = 0; i < text.length() && (!isCut || result.length() < limit); i += Character.charCount(next)) {
            next = text.codePointAt(i);
            boolean isWhole = next != 0 && Character.getType(next) != Character.SURROGATE;
            result.appendCodePoint(isWhole ? next : '\uFFFD');
        }
        return isCut ? result.append(TRUNCATED).toString() : result.toString();
    }
}
