package io.holdfast.admin.web;

import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.Operator.Via;
import io.holdfast.admin.gateway.Role;
import io.holdfast.service.HoldfastService;
import jakarta.servlet.http.HttpServletRequest;

/** Identifies the operator of a request. Without authentication, every client is an administrator. Thread-safe. */
final class Operators {

    private final HoldfastService service;

    Operators(HoldfastService service) {
        this.service = service;
    }

    Operator of(HttpServletRequest request) {
        Via via = new Via(service.name(), service.replica(), request.getRemoteAddr());
        return new Operator(Operator.ANONYMOUS, Role.ADMIN, via);
    }
}
