package io.holdfast.wire;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams of other services. Live records come over the wire; where the chain of previous positions shows a gap, or an
 * announced head a lost tail, pages are asked of the source until they meet the live records. One stream's gap does not
 * hold up another.
 */
public final class WireStreamSource implements StreamSource {

    private static final Logger log = LoggerFactory.getLogger(WireStreamSource.class);
    /** Live records that wait behind a gap; what comes beyond is left on the wire, or pulled later. */
    private static final int MAX_WAITING = 10_000;

    private static final int PAGE = 500;

    private final Wire wire;
    private final Map<String, Stream> streams = new HashMap<>();

    public WireStreamSource(Wire wire) {
        this.wire = wire;
    }

    @Override
    public Optional<StreamPosition> start(String stream, StartAt start) {
        return stream(stream).page(0, 1).map(page -> StreamChain.start(page.head(), page.events(), start));
    }

    @Override
    public List<EventMessage> read(String stream, StreamPosition after, int limit) {
        return stream(stream).read(after, limit);
    }

    private Stream stream(String name) {
        return streams.computeIfAbsent(name, unknown -> new Stream(unknown));
    }

    private final class Stream {

        private final String name;
        private final WireReader live;
        private final Deque<EventMessage> waiting = new ArrayDeque<>();
        private @Nullable PageRequest asked;
        private @Nullable CompletableFuture<StreamPage> answer;

        Stream(String name) {
            this.name = name;
            this.live = wire.reader(name);
        }

        List<EventMessage> read(StreamPosition after, int limit) {
            receive();
            List<EventMessage> next = takeFollowing(after, limit);
            if (!next.isEmpty() || !isBehind(after)) {
                return next;
            }
            return page(after.position(), Math.min(limit, PAGE))
                    .map(page -> accept(page, after))
                    .orElse(List.of());
        }

        private void receive() {
            int room = MAX_WAITING - waiting.size();
            if (room > 0) {
                waiting.addAll(live.poll(Math.min(room, PAGE)));
            }
        }

        private List<EventMessage> takeFollowing(StreamPosition after, int limit) {
            List<EventMessage> taken = new ArrayList<>();
            StreamPosition reached = after;
            while (taken.size() < limit && !waiting.isEmpty()) {
                EventMessage next = waiting.getFirst();
                if (reached.isFollowedBy(next)) {
                    taken.add(next);
                    reached = next.reached();
                } else if (!reached.covers(next)) {
                    break;
                }
                waiting.removeFirst();
            }
            return taken;
        }

        /** Something that does not follow has arrived, or the source says that there is more. */
        private boolean isBehind(StreamPosition after) {
            return !waiting.isEmpty()
                    || wire.head(name)
                            .map(head -> !head.log().equals(after.log())
                                    || head.position() > after.position()
                                    || StreamChain.isRewritten(after, head))
                            .orElse(false);
        }

        private List<EventMessage> accept(StreamPage page, StreamPosition after) {
            List<EventMessage> events = StreamChain.following(name, after, page.head(), page.events());
            dropStrays(page);
            return events;
        }

        /**
         * The source's own answer outweighs what came over the wire: a record of another log, or one that claims to
         * follow where the source has nothing, is not waited for. If it was genuine, a later page has it.
         */
        private void dropStrays(StreamPage page) {
            waiting.removeIf(record -> page.events().isEmpty()
                    || !record.place().log().equals(page.head().log()));
        }

        /** The answer to a page request if it is here; else asks for it, again after a failure. */
        private Optional<StreamPage> page(long after, int limit) {
            PageRequest request = new PageRequest(name, after, limit);
            CompletableFuture<StreamPage> current = answer;
            if (current == null || !request.equals(asked)) {
                current = wire.request(request);
                asked = request;
                answer = current;
            }
            if (!current.isDone()) {
                return Optional.empty();
            }
            answer = null;
            try {
                return Optional.of(current.join());
            } catch (CompletionException | CancellationException e) {
                log.debug("No page of stream {} after position {} yet: {}", name, after, e.getMessage());
                return Optional.empty();
            }
        }
    }
}
