package io.holdfast.commit.group;

import io.holdfast.deadletter.LetterOutcome;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The outcome of a unit that the committer has decided. */
public sealed interface UnitOutcome {

    /**
     * The whole unit is durable.
     *
     * @param letters what became of the letters that the unit attempts or removes
     */
    record Committed(List<PartResult> parts, List<LetterOutcome> letters) implements UnitOutcome {
        public Committed {
            parts = List.copyOf(parts);
            letters = List.copyOf(letters);
        }
    }

    /**
     * The decisions of some parts threw on the newest state. Nothing of the unit is durable. The submitter decides
     * how to treat these parts and builds the unit again.
     *
     * @param failures the exception of each part that threw, in the order of the parts
     */
    record PartsFailed(Map<PartId, Throwable> failures) implements UnitOutcome {
        public PartsFailed {
            failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
        }
    }
}
