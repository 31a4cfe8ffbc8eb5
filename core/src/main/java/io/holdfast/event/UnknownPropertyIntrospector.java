package io.holdfast.event;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotationIntrospectorPair;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/** Makes Jackson report unknown properties of classes with {@code @JsonIgnoreProperties(ignoreUnknown = true)} too. */
final class UnknownPropertyIntrospector extends AnnotationIntrospectorPair {

    private static final long serialVersionUID = 1;

    UnknownPropertyIntrospector(AnnotationIntrospector annotations) {
        super(NopAnnotationIntrospector.instance, annotations);
    }

    @Override
    public JsonIgnoreProperties.Value findPropertyIgnoralByName(MapperConfig<?> config, Annotated annotated) {
        return super.findPropertyIgnoralByName(config, annotated).withoutIgnoreUnknown();
    }
}
