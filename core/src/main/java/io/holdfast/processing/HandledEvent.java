package io.holdfast.processing;

import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.event.EventMessage;
import java.util.List;
import java.util.Set;

/** An event whose handlers have run; the effects wait to be committed. */
record HandledEvent(EventMessage event, List<Part> parts) {

    boolean hasAny(Set<PartId> ids) {
        return parts.stream().map(Part::id).anyMatch(ids::contains);
    }
}
