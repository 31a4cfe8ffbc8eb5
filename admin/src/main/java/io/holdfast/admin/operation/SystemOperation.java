package io.holdfast.admin.operation;

import io.holdfast.action.Action.Kind;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The operations on parts of the system. */
public enum SystemOperation {
    PAUSE(Part.PROCESSOR, "pause", Kind.PAUSE),
    RESUME(Part.PROCESSOR, "resume", Kind.RESUME),
    RESET(Part.PROCESSOR, "reset", Kind.RESET, Fields.FROM),
    SPLIT(Part.PROCESSOR, "split", Kind.SPLIT, Fields.SEGMENT),
    MERGE(Part.PROCESSOR, "merge", Kind.MERGE, Fields.SEGMENT),
    RELEASE(Part.PROCESSOR, "release", Kind.RELEASE, Fields.SEGMENT),
    ACCEPT_RESTORE(Part.PROCESSOR, "accept-restore", Kind.ACCEPT_RESTORE, Fields.STREAM, Fields.POSITION),
    RETRY_STEP(Part.SAGA, "retry", Kind.RETRY_STEP, Fields.VERSION),
    SKIP_STEP(Part.SAGA, "skip", Kind.SKIP_STEP, Fields.STEP, Fields.VERSION),
    COMPENSATE_SAGA(Part.SAGA, "compensate", Kind.COMPENSATE_SAGA, Fields.VERSION),
    GIVE_UP_SAGA(Part.SAGA, "give-up", Kind.GIVE_UP_SAGA, Fields.VERSION),
    DELETE_GROUP(Part.GROUP, "delete", Kind.DELETE_GROUP),
    RETRY_OUTBOX(Part.OUTBOX, "retry", Kind.RETRY_OUTBOX),
    OPEN_BREAKER(Part.BREAKER, "open", Kind.OPEN_BREAKER),
    CLOSE_BREAKER(Part.BREAKER, "close", Kind.CLOSE_BREAKER);

    /** What can be operated on. */
    public enum Part {
        PROCESSOR("processor"),
        SAGA("saga"),
        GROUP("group"),
        OUTBOX("outbox"),
        BREAKER("breaker");

        private final String label;

        Part(String label) {
            this.label = label;
        }

        /** Returns the target of an operation on the part with this name, as receipts show it. */
        public String target(String name) {
            return label + " " + name;
        }

        /** Returns the name of a part. The reverse of {@link #target}. */
        String name(String target) {
            return target.substring(label.length() + 1);
        }

        /** Returns the names of its operations, as they appear in paths. */
        public String operations() {
            return Arrays.stream(SystemOperation.values())
                    .filter(operation -> operation.part == this)
                    .map(SystemOperation::path)
                    .collect(Collectors.joining(", "));
        }

        @Override
        public String toString() {
            return label;
        }
    }

    private final Part part;
    private final String path;
    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker") // unmodifiable
    private final Set<String> fields;

    SystemOperation(Part part, String path, Kind kind, String... fields) {
        this.part = part;
        this.path = path;
        this.kind = kind;
        this.fields = Collections.unmodifiableSet(new LinkedHashSet<>(List.of(fields)));
    }

    /** Returns the operation with this name on a part of this kind. */
    public static Optional<SystemOperation> find(Part part, String path) {
        return Arrays.stream(values())
                .filter(operation -> operation.part == part && operation.path.equals(path))
                .findFirst();
    }

    /** Returns its name in the path of requests. */
    public String path() {
        return path;
    }

    public Part part() {
        return part;
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the fields of its request, besides those of every write. */
    public Set<String> fields() {
        return fields;
    }
}
