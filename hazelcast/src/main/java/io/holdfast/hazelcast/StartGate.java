package io.holdfast.hazelcast;

import com.hazelcast.security.Credentials;
import com.hazelcast.security.ICredentialsFactory;
import com.hazelcast.security.UsernamePasswordCredentials;
import java.util.concurrent.CompletableFuture;
import javax.security.auth.callback.CallbackHandler;
import org.jspecify.annotations.Nullable;

/**
 * Delays the first connection of a client until the client has been started. A client of Hazelcast 5.7 that starts
 * asynchronously has a race: it sets its "connecting" flag <em>after</em> it has started to connect, without a lock. If
 * the connection is established before that, the flag is never cleared, and the client does not reconnect after a
 * disconnect. Every connection asks for credentials first, so the credentials factory is the only place to wait.
 */
final class StartGate implements ICredentialsFactory {

    private final CompletableFuture<@Nullable Void> started = new CompletableFuture<>();

    /** Lets connections proceed: the client has been started, or its start has failed. */
    void open() {
        started.complete(null);
    }

    @Override
    public void configure(CallbackHandler callbackHandler) {
        // needs no callback
    }

    /** Returns empty credentials, as if no factory were configured. */
    @Override
    public Credentials newCredentials() {
        started.join();
        return new UsernamePasswordCredentials(null, null);
    }

    @Override
    public void destroy() {
        open();
    }
}
