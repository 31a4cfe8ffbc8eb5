package io.holdfast.hazelcast;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;

/** Opens readers and resumes them after a reconnect. References them weakly, because readers are never closed. */
final class RingReaders {

    private final Link link;
    private final EventRecords records;
    private final Consumer<String> onArrival;
    private final Set<RingReader> open = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** @param onArrival called with the stream whose reader has received events */
    RingReaders(Link link, EventRecords records, Consumer<String> onArrival) {
        this.link = link;
        this.records = records;
        this.onArrival = onArrival;
        link.whenUp(() -> all().forEach(RingReader::resume));
        link.everyTick(() -> all().forEach(RingReader::checkPendingRead));
    }

    RingReader open(String stream) {
        RingReader reader = new RingReader(link, records, stream, onArrival, System::nanoTime);
        open.add(reader);
        reader.resume();
        return reader;
    }

    private List<RingReader> all() {
        synchronized (open) {
            return new ArrayList<>(open);
        }
    }
}
