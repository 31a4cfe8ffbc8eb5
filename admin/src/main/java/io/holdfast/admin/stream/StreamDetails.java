package io.holdfast.admin.stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a service.
 *
 * @param log the id of the service's log
 * @param epoch the epoch of the log: 1, plus one each time that the database was restored
 * @param position the position of the newest event; 0 if the stream is empty
 * @param eventId the newest event; null if the stream is empty
 * @param readers the names of the consumer groups that read it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StreamDetails(
        String service, String name, UUID log, int epoch, long position, @Nullable UUID eventId, List<String> readers) {

    public StreamDetails {
        readers = List.copyOf(readers);
    }
}
