package io.holdfast.spring.properties;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/** Collects the names that were bound and the values that could not be converted, for which it uses the default. */
final class CollectingBindHandler extends AbstractBindHandler {

    private final Set<ConfigurationPropertyName> bound = new HashSet<>();
    private final List<String> errors = new ArrayList<>();

    Set<ConfigurationPropertyName> bound() {
        return bound;
    }

    List<String> errors() {
        return errors;
    }

    @Override
    public Object onSuccess(ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        bound.add(name);
        return result;
    }

    /** An empty value counts as not set and does not reach {@link #onSuccess}, but its name is known. */
    @Override
    public void onFinish(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result) {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (property != null && property.getName().equals(name)) {
            bound.add(name);
        }
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) throws Exception {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (property == null) {
            throw error;
        }
        bound.add(name);
        bound.add(property.getName());
        errors.add(name + " is " + property.getValue() + ", but must be "
                + describeAllowed(
                        ClassUtils.resolvePrimitiveIfNecessary(target.getType().resolve(Object.class))));
        return null;
    }

    private static String describeAllowed(Class<?> type) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant ->
                            constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        if (type == Boolean.class) {
            return "true or false";
        }
        if (type == Integer.class) {
            return "a whole number";
        }
        if (type == Double.class) {
            return "a number";
        }
        if (type == Duration.class) {
            return "a duration such as 500ms, 10s, 15m or 1h";
        }
        if (type == DataSize.class) {
            return "a size such as 512B, 256KB or 1MB";
        }
        return "convertible to " + type.getSimpleName();
    }
}
