package io.holdfast.hazelcast;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;

/** The readers of this process that somebody still holds; they are never closed. */
final class RingReaders {

    private final Link link;
    private final EventRecords records;
    private final Consumer<String> onArrival;
    private final Set<RingReader> open = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** @param arrived told the stream of which a reader has got something */
    RingReaders(Link link, EventRecords records, Consumer<String> arrived) {
        this.link = link;
        this.records = records;
        this.onArrival = arrived;
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
