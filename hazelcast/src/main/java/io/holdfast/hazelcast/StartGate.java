package io.holdfast.hazelcast;

import com.hazelcast.security.Credentials;
import com.hazelcast.security.ICredentialsFactory;
import com.hazelcast.security.UsernamePasswordCredentials;
import java.util.concurrent.CompletableFuture;
import javax.security.auth.callback.CallbackHandler;
import org.jspecify.annotations.Nullable;

/**
 * Holds the first connection of a client back until the client has been started. Hazelcast 5.7 notes that it is connecting
 * <em>after</em> it has begun to, without a lock, when it starts in the background: a connection that is quicker than that
 * note leaves it standing, and the client then never connects again when it is lost. Whom the client is, is what every
 * connection must ask for, and so the one place to wait in.
 */
final class StartGate implements ICredentialsFactory {

    private final CompletableFuture<@Nullable Void> started = new CompletableFuture<>();

    /** The client has been started, or never will be. */
    void open() {
        started.complete(null);
    }

    @Override
    public void configure(CallbackHandler callbackHandler) {
        // nothing of Hazelcast's is needed
    }

    /** Nobody, as without a factory. */
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
