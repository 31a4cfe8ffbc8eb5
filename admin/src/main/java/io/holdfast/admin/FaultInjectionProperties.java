package io.holdfast.admin;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether components can be made to fail on purpose.
 *
 * @param enabled whether faults can be injected by /api/admin/fault; not for production
 */
@ConfigurationProperties("framework.fault-injection")
public record FaultInjectionProperties(@DefaultValue("false") boolean enabled) {}
