package io.holdfast.event;

/** Texts as bytes of UTF-8, without encoding them. */
final class Utf8 {

    private Utf8() {}

    /**
     * Returns the size of a text in bytes.
     *
     * @return the size, or {@code -1 - index} of the first character that a store would refuse or replace: NUL or half of
     *     a surrogate pair
     */
    static long size(String text) {
        long size = text.length();
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (next >= 0x80) {
                size += next < 0x800 ? 1 : 2;
                if (Character.isSurrogate(next)) {
                    if (!isPair(text, i)) {
                        return -1L - i;
                    }
                    i++; // both characters together have 4 bytes
                }
            } else if (next == 0) {
                return -1L - i;
            }
        }
        return size;
    }

    /** Returns whether a surrogate pair starts at this index. */
    static boolean isPair(String text, int index) {
        return Character.isHighSurrogate(text.charAt(index))
                && index + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(index + 1));
    }
}
