package io.holdfast.commit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What became of a unit that the committer could carry to an end. */
public sealed interface UnitOutcome {

    /** Durable, whole. */
    record Committed(List<PartResult> parts) implements UnitOutcome {
        public Committed {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Decisions of some parts threw, on the newest state. Nothing of the unit is durable: whoever submitted it decides
     * what to do with those parts and forms the unit again.
     *
     * @param failures what the part threw, for each part that threw, in the order of the parts
     */
    record PartsFailed(Map<PartId, Throwable> failures) implements UnitOutcome {
        public PartsFailed {
            failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
        }
    }
}
