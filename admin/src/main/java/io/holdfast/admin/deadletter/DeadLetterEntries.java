package io.holdfast.admin.deadletter;

import io.holdfast.admin.component.EntryId;
import io.holdfast.admin.component.ManagedComponent;
import io.holdfast.admin.component.ServiceComponents;
import io.holdfast.deadletter.entry.Entry;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shows stored entries to operators. Thread-safe. */
final class DeadLetterEntries {

    private final ServiceComponents components;

    DeadLetterEntries(ServiceComponents components) {
        this.components = components;
    }

    DeadLetterEntry of(Entry entry, @Nullable Object payload) {
        EntryId id = EntryId.of(entry.component(), entry.event().id());
        Optional<ManagedComponent> component = components.find(entry.component());
        String name = component.map(ManagedComponent::name).orElse(id.component());
        Entry.Failure failure = entry.failure();
        Entry.Parked parked = entry.parked();
        Entry.Resolution resolution = entry.resolution();
        return new DeadLetterEntry(
                id.toString(),
                entry.event().id(),
                entry.event().type(),
                entry.event().stream(),
                entry.event().key(),
                payload,
                failure == null ? null : Objects.requireNonNullElse(failure.message(), failure.type()),
                failure == null ? null : failure.type(),
                failure == null ? null : failure.at(),
                entry.causeGroup(),
                id.service(),
                id.processor(),
                name,
                "DeadLetterQueue[" + id.processor() + "][" + name + "]",
                component.isPresent() ? null : true,
                entry.event().sagaId(),
                entry.event().correlationId(),
                entry.id().sequence().sequence(),
                parked == null ? null : parked.position(),
                parked == null ? null : parked.sequenceSize(),
                entry.attempts(),
                parked == null ? null : parked.nextAttempt(),
                parked == null ? null : parked.heldBy(),
                entry.replayCount(),
                entry.status(),
                entry.enqueuedAt(),
                entry.lastTouched(),
                resolution == null ? null : resolution.at(),
                resolution == null ? null : resolution.detail(),
                resolution == null ? null : resolution.action());
    }
}
