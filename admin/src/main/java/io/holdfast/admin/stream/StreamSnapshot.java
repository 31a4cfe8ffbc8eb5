package io.holdfast.admin.stream;

import io.holdfast.event.Epoch;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamHead;
import io.holdfast.service.HoldfastService;
import io.holdfast.wire.ConsumerGroup;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What is stored about the streams of this service: a row per stream, epoch and group, however many events there are. */
record StreamSnapshot(
        String service,
        Set<String> owned,
        LogIdentity log,
        Map<String, StreamHead> heads,
        List<Epoch> epochs,
        List<ConsumerGroup> consumers) {

    /** Reads the groups before the heads, so that no group seems to be ahead of its stream. */
    static StreamSnapshot of(HoldfastService service) {
        List<ConsumerGroup> groups = service.consumerGroups().findAll();
        Map<String, StreamHead> heads =
                service.eventLog().heads().stream().collect(Collectors.toMap(StreamHead::stream, Function.identity()));
        return new StreamSnapshot(
                service.name(),
                service.ownedStreams(),
                service.eventLog().identity(),
                heads,
                service.eventLog().epochs(),
                groups);
    }

    /** Returns the owned streams, and those that have events of an earlier version that owned them. */
    List<StreamDetails> streams() {
        Set<String> names = new TreeSet<>(owned);
        names.addAll(heads.keySet());
        return names.stream().map(this::stream).toList();
    }

    private StreamDetails stream(String name) {
        StreamHead head = heads.getOrDefault(name, new StreamHead(name, log, 0, null));
        List<String> readers = consumers.stream()
                .filter(group -> group.stream().equals(name))
                .map(ConsumerGroup::name)
                .toList();
        return new StreamDetails(service, name, log.id(), log.epoch(), head.position(), head.id(), readers);
    }

    List<GroupDetails> groups() {
        return consumers.stream()
                .map(group -> GroupDetails.of(service, group, head(group.stream()), epochs))
                .toList();
    }

    private long head(String stream) {
        StreamHead head = heads.get(stream);
        return head == null ? 0 : head.position();
    }
}
