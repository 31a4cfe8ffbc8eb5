package io.holdfast.wire;

import io.holdfast.event.EventMessage;
import io.holdfast.event.LogPosition;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The bytes that a signature covers. Each text has its length in front, so that no content can move from one field to
 * the next. The first field names the layout of the others.
 */
final class SignedContent {

    /** Changes whenever the signed fields of an event do. */
    private static final String EVENT_LAYOUT = "holdfast-event-1";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    private final DataOutputStream out = new DataOutputStream(bytes);

    private SignedContent(String layout) throws IOException {
        text(layout);
    }

    static byte[] of(EventMessage event) {
        try {
            SignedContent content = new SignedContent(EVENT_LAYOUT);
            content.event(event);
            return content.bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
    }

    static byte[] of(String layout, List<String> fields) {
        try {
            SignedContent content = new SignedContent(layout);
            content.out.writeInt(fields.size());
            for (String field : fields) {
                content.text(field);
            }
            return content.bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
    }

    private void event(EventMessage event) throws IOException {
        id(event.id());
        text(event.source());
        text(event.stream());
        text(event.key());
        out.writeLong(event.version());
        text(event.occurredAt().toString());
        out.writeInt(event.metadata().asMap().size());
        for (Map.Entry<String, String> entry : event.metadata().asMap().entrySet()) {
            text(entry.getKey());
            text(entry.getValue());
        }
        text(event.payload().type());
        out.writeInt(event.payload().revision());
        text(event.payload().json());
        logPosition(event.logPosition());
    }

    private void logPosition(LogPosition position) throws IOException {
        id(position.log().id());
        out.writeInt(position.log().epoch());
        out.writeLong(position.position());
        out.writeLong(position.previousPosition());
        UUID previous = position.previousId();
        out.writeBoolean(previous != null);
        if (previous != null) {
            id(previous);
        }
    }

    private void id(UUID id) throws IOException {
        out.writeLong(id.getMostSignificantBits());
        out.writeLong(id.getLeastSignificantBits());
    }

    private void text(String text) throws IOException {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(encoded.length);
        out.write(encoded);
    }
}
