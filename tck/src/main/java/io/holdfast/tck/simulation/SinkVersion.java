package io.holdfast.tck.simulation;

import io.holdfast.tck.harness.Accounts.Deposited;
import io.holdfast.tck.harness.Accounts.Withdrawn;
import io.holdfast.tck.harness.Noted;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A version of the sink: the handlers that it has.
 *
 * @param name unique among the versions
 */
record SinkVersion(String name, List<HandlerId> handlers) {

    private static final String DEPOSITED = Deposited.class.getSimpleName();
    private static final String WITHDRAWN = Withdrawn.class.getSimpleName();
    private static final String NOTED = Noted.class.getSimpleName();

    /** The version that runs at the start of every run. */
    static final SinkVersion FIRST = new SinkVersion(
            "first",
            List.of(
                    new HandlerId("ledger", DEPOSITED),
                    new HandlerId("ledger", WITHDRAWN),
                    new HandlerId("audit", DEPOSITED),
                    new HandlerId("audit", NOTED),
                    new HandlerId("journal", DEPOSITED),
                    new HandlerId("journal", WITHDRAWN)));

    /** The handlers that the next version adds: one to an existing component, and a new component. */
    static final List<HandlerId> ADDED = List.of(
            new HandlerId("audit", WITHDRAWN),
            new HandlerId("archive", DEPOSITED),
            new HandlerId("archive", WITHDRAWN),
            new HandlerId("archive", NOTED));

    static final SinkVersion NEXT = new SinkVersion(
            "next", Stream.concat(FIRST.handlers.stream(), ADDED.stream()).toList());

    private static final List<SinkVersion> COMPLETE = List.of(FIRST, NEXT);

    /** All versions, by what they lack: nothing, a component, or a handler. */
    static final List<List<SinkVersion>> BY_KIND = List.of(
            COMPLETE,
            COMPLETE.stream().flatMap(SinkVersion::withoutOneComponent).toList(),
            COMPLETE.stream().flatMap(SinkVersion::withoutOneHandler).toList());

    /** A handler of one event type in one component. */
    record HandlerId(String component, String type) {

        @Override
        public String toString() {
            return component + "/" + type;
        }
    }

    private Stream<SinkVersion> withoutOneComponent() {
        return handlers.stream()
                .map(HandlerId::component)
                .distinct()
                .map(missing -> without(missing, handler -> handler.component().equals(missing)));
    }

    private Stream<SinkVersion> withoutOneHandler() {
        return handlers.stream().map(missing -> without(missing.toString(), missing::equals));
    }

    private SinkVersion without(String missing, Predicate<HandlerId> isMissing) {
        return new SinkVersion(
                name + " without " + missing,
                handlers.stream().filter(isMissing.negate()).toList());
    }

    boolean handles(String component, String type) {
        return handlers.contains(new HandlerId(component, type));
    }

    boolean has(String component) {
        return handlers.stream().anyMatch(handler -> handler.component().equals(component));
    }

    @Override
    public String toString() {
        return name;
    }
}
