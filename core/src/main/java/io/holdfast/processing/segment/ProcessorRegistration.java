package io.holdfast.processing.segment;

import io.holdfast.RetryableException;
import io.holdfast.handling.Component;
import io.holdfast.parking.BoundComponent;
import io.holdfast.token.ComponentDefinition;
import io.holdfast.token.ProcessorDefinition;
import io.holdfast.token.TokenStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
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
    private final Map<String, Set<String>> retiredSagaTypes;
    private volatile ProcessorDefinition known = ProcessorDefinition.EMPTY;

    /** @param retiredComponents ids of components that this version no longer has */
    public ProcessorRegistration(ProcessorContext context, Set<String> retiredComponents) {
        this.context = context;
        this.tokens = context.stores().tokens();
        this.retiredComponents = Set.copyOf(retiredComponents);
        this.retiredTypes = byComponent(Component::retiredTypes);
        this.retiredSagaTypes = byComponent(Component::retiredSagaTypes);
    }

    private Map<String, Set<String>> byComponent(Function<Component, Set<String>> retired) {
        return context.handlers().components().stream()
                .collect(Collectors.toMap(BoundComponent::id, bound -> retired.apply(bound.component())));
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
        Map<String, Set<String>> types = unused(retiredTypes, replicas, ProcessorRegistration::listsType);
        Map<String, Set<String>> sagaTypes = unused(retiredSagaTypes, replicas, (component, type) -> component
                .sagaTypes()
                .containsKey(type));
        if (!components.isEmpty() || !types.isEmpty() || !sagaTypes.isEmpty()) {
            known = tokens.define(
                    context.processor(),
                    definition -> definition.without(components, types).withoutSagaTypes(sagaTypes));
            log.info(
                    "Processor {}/{}: retired components {}, event types {} and saga types {}; letters that only waited"
                            + " are resolved",
                    context.service(),
                    context.processor(),
                    components,
                    types,
                    sagaTypes);
        }
    }

    /** Returns, by component, which retired names are still in the definition although no replica lists them. */
    private Map<String, Set<String>> unused(
            Map<String, Set<String>> retired,
            Collection<ProcessorDefinition> replicas,
            BiPredicate<ComponentDefinition, String> lists) {
        Map<String, Set<String>> unused = new HashMap<>();
        retired.forEach((id, names) -> {
            Set<String> found = names.stream()
                    .filter(name -> isListed(known, id, name, lists)
                            && replicas.stream().noneMatch(replica -> isListed(replica, id, name, lists)))
                    .collect(Collectors.toSet());
            if (!found.isEmpty()) {
                unused.put(id, found);
            }
        });
        return unused;
    }

    private static boolean isListed(
            ProcessorDefinition definition,
            String component,
            String name,
            BiPredicate<ComponentDefinition, String> lists) {
        return definition
                .find(component)
                .filter(found -> lists.test(found, name))
                .isPresent();
    }

    private static boolean listsType(ComponentDefinition component, String type) {
        return component.types().keySet().stream()
                .anyMatch(listed -> listed.equals(type) || listed.startsWith(type + "@"));
    }

    private static Map<String, String> describe(ProcessorDefinition definition) {
        return definition.components().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> describe(entry.getValue())));
    }

    private static String describe(ComponentDefinition component) {
        String types = component.types().keySet().toString();
        return component.isLimited()
                ? types + " in sagas " + component.sagaTypes().keySet()
                : types;
    }
}
