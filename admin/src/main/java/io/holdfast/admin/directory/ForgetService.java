package io.holdfast.admin.directory;

import io.holdfast.admin.gateway.Endpoint;

/** Asks a replica to forget a silent service. */
record ForgetService(String name) {

    static final Endpoint<ForgetService, Answer> ENDPOINT =
            new Endpoint<>("services.forget", ForgetService.class, Answer.class);

    /** What became of the service, at one replica. */
    enum Outcome {
        FORGOTTEN,
        UNKNOWN,
        /** This replica sees it in the directory; nothing was done. */
        LIVE
    }

    record Answer(Outcome outcome) {}
}
