package io.holdfast.tck.simulation;

import io.holdfast.tck.harness.Accounts.Deposited;
import io.holdfast.tck.harness.Accounts.Withdrawn;
import io.holdfast.tck.harness.Noted;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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

    /** The versions that lack nothing of their own. */
    static final List<SinkVersion> COMPLETE = List.of(FIRST, NEXT);

    /** Both versions, and what each is without one of its handlers or components. */
    static final List<SinkVersion> ALL = COMPLETE.stream()
            .flatMap(version -> version.withPartsMissing().stream())
            .toList();

    /** A handler of one event type in one component. */
    record HandlerId(String component, String type) {

        @Override
        public String toString() {
            return component + "/" + type;
        }
    }

    private List<SinkVersion> withPartsMissing() {
        List<SinkVersion> versions = new ArrayList<>(List.of(this));
        new LinkedHashSet<>(handlers.stream().map(HandlerId::component).toList())
                .forEach(component -> versions.add(without(
                        component,
                        handlers.stream()
                                .filter(handler -> !handler.component().equals(component))
                                .toList())));
        handlers.forEach(missing -> versions.add(without(
                missing.toString(),
                handlers.stream().filter(handler -> !handler.equals(missing)).toList())));
        return versions;
    }

    private SinkVersion without(String missing, List<HandlerId> rest) {
        return new SinkVersion(name + " without " + missing, rest);
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
