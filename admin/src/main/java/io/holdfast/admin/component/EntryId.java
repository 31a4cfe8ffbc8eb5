package io.holdfast.admin.component;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Identifies an entry: the letter of an event in the queue of a component. It names the owner, so any service can route
 * a request without knowing the component.
 *
 * @param component the component's stable name
 */
public record EntryId(UUID event, String service, String processor, String component) {

    /** Separates the parts in the text. Names are encoded so that they do not contain it. */
    private static final char SEPARATOR = '~';

    private static final int PARTS = 4;
    private static final int COMPONENT_PARTS = 3;

    /** @param component the id under which the component's letters are stored: service, processor and stable name */
    public static EntryId of(String component, UUID event) {
        String[] names = component.split("/", COMPONENT_PARTS);
        if (names.length < COMPONENT_PARTS) {
            throw new IllegalArgumentException(
                    "the id of a component has the form service/processor/component, but is " + component);
        }
        return new EntryId(event, names[0], names[1], names[2]);
    }

    /** Parses an id; empty if it is not one. There is exactly one text for each id. */
    public static Optional<EntryId> parse(String text) {
        String[] parts = text.split(String.valueOf(SEPARATOR), -1);
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        try {
            EntryId id = new EntryId(UUID.fromString(parts[0]), decode(parts[1]), decode(parts[2]), decode(parts[3]));
            return Optional.of(id).filter(each -> each.toString().equals(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the id under which the letters of the component are stored. */
    public String componentId() {
        return service + "/" + processor + "/" + component;
    }

    /** Returns the id as text that is safe in the path of a URL. */
    @Override
    public String toString() {
        return event
                + Stream.of(service, processor, component)
                        .map(name -> SEPARATOR + encode(name))
                        .collect(Collectors.joining());
    }

    /** Servers reject encoded slashes and percent signs in a path, so the encoding uses another character than %. */
    private static String encode(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8)
                .replace("%7E", "~")
                .replace("~", "%7E")
                .replace('%', '!');
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace('!', '%'), StandardCharsets.UTF_8);
    }
}
