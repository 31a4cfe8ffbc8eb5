package io.holdfast.processing.segment;

import io.holdfast.RetryableException;
import io.holdfast.parking.BoundComponent;
import io.holdfast.token.ComponentDefinition;
import io.holdfast.token.ProcessorDefinition;
import io.holdfast.token.TokenStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers what this version of a processor handles in the processor's definition, and removes what it has retired
 * once no replica handles that any more. Only {@link #components} is thread-safe; one thread at a time uses the rest.
 */
public final class ProcessorRegistration {

    private static final Logger log = LoggerFactory.getLogger(ProcessorRegistration.class);

    /** Together longer than an idle transaction may last. Each attempt takes up to the lock timeout. */
    private static final int MAX_ATTEMPTS = 5;

    private final ProcessorContext context;
    private final TokenStore tokens;
    private final Set<String> retiredComponents;
    private final Map<String, Set<String>> retiredTypes;
    private volatile ProcessorDefinition known = ProcessorDefinition.EMPTY;

    /** @param retiredComponents ids of components that this version no longer has */
    public ProcessorRegistration(ProcessorContext context, Set<String> retiredComponents) {
        this.context = context;
        this.tokens = context.stores().tokens();
        this.retiredComponents = Set.copyOf(retiredComponents);
        this.retiredTypes = context.handlers().components().stream()
                .filter(bound -> !bound.component().retiredTypes().isEmpty())
                .collect(Collectors.toMap(
                        BoundComponent::id, bound -> bound.component().retiredTypes()));
    }

    Set<String> retiredComponents() {
        return retiredComponents;
    }

    /** Returns the components of this version, and stand-ins for those that only other versions have. */
    public List<BoundComponent> components() {
        return new SegmentComponents(context, known, retiredComponents).all();
    }

    /**
     * Returns the definition, which includes what this version handles. Call it after the token of a segment was read:
     * a definition that changes later also changes the token.
     */
    public ProcessorDefinition current() {
        ProcessorDefinition stored = tokens.findDefinition(context.processor());
        known = stored.includes(context.definition()) ? stored : register();
        return known;
    }

    /**
     * Adds what this version handles to the definition. Idempotent, and locks nothing if the definition already has it.
     * Retries if tokens are locked: a frozen replica locks them until the database ends its transaction.
     */
    public ProcessorDefinition register() {
        for (int attempt = 1; ; attempt++) {
            try {
                return merge();
            } catch (RetryableException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private ProcessorDefinition merge() {
        ProcessorDefinition own = context.definition();
        ProcessorDefinition stored = tokens.findDefinition(context.processor());
        if (stored.version() == 0 || !stored.merged(own).equals(stored)) {
            stored = tokens.define(context.processor(), definition -> definition.merged(own));
        }
        if (stored.version() > known.version()) {
            log.info(
                    "Processor {}/{}: version {} of the service works with definition {}: {}",
                    context.service(),
                    context.processor(),
                    context.identity().version(),
                    stored.version(),
                    describe(stored));
        }
        known = stored;
        return stored;
    }

    /**
     * Keeps the definition up to date: it must have what this version handles, also if another replica has retired that
     * at the same time or the database has lost it, and not what this version has retired and none of these replicas
     * handles.
     */
    public void update(Collection<ProcessorDefinition> replicas) {
        current();
        retire(replicas);
    }

    private void retire(Collection<ProcessorDefinition> replicas) {
        Set<String> components = retiredComponents.stream()
                .filter(known.components()::containsKey)
                .filter(id -> replicas.stream()
                        .noneMatch(replica -> replica.components().containsKey(id)))
                .collect(Collectors.toSet());
        Map<String, Set<String>> types = new HashMap<>();
        retiredTypes.forEach((id, retired) -> {
            Set<String> unused = retired.stream()
                    .filter(type -> isListed(known, id, type)
                            && replicas.stream().noneMatch(replica -> isListed(replica, id, type)))
                    .collect(Collectors.toSet());
            if (!unused.isEmpty()) {
                types.put(id, unused);
            }
        });
        if (!components.isEmpty() || !types.isEmpty()) {
            known = tokens.define(context.processor(), definition -> definition.without(components, types));
            log.info(
                    "Processor {}/{}: retired components {} and event types {}; letters that only waited are resolved",
                    context.service(),
                    context.processor(),
                    components,
                    types);
        }
    }

    private static boolean isListed(ProcessorDefinition definition, String component, String type) {
        return definition
                .find(component)
                .map(ComponentDefinition::types)
                .filter(types -> types.keySet().stream()
                        .anyMatch(listed -> listed.equals(type) || listed.startsWith(type + "@")))
                .isPresent();
    }

    private static Map<String, Set<String>> describe(ProcessorDefinition definition) {
        return definition.components().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().types().keySet()));
    }
}
