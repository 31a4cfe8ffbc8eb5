package io.holdfast.admin.fault;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of fault injection.
 *
 * @param enabled whether faults can be injected through /api/admin/fault; not for production
 */
@ConfigurationProperties("framework.fault-injection")
public record FaultInjectionProperties(@DefaultValue("false") boolean enabled) {}
