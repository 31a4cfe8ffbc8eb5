package io.holdfast.hazelcast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Field;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.ModificationWatchpointEvent;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.StepRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Provokes the race that {@link StartGate} prevents: a debugger suspends the thread that starts the client after it has
 * started to connect, and before it sets its "connecting" flag.
 */
@Timeout(90)
class ClientStartRaceTests {

    private static final String CONNECTION_MANAGER =
            "com.hazelcast.client.impl.connection.tcp.TcpClientConnectionManager";
    private static final int POLL_INTERVAL_MILLIS = 50;
    private static final String CONNECTING_FLAG = "connectToClusterTaskSubmitted";

    @Test
    void clientReconnectsIfItsFirstConnectionIsFasterThanItsStart() throws Exception {
        VirtualMachine machine = launch();
        Process process = machine.process();
        try (SuspendedStart start = new SuspendedStart(machine)) {
            start.handleEvents();

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(start.wasSuspended).isTrue();
            assertThat(process.exitValue()).as("reconnected").isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private static VirtualMachine launch() throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        set(arguments, "main", ReconnectingClient.class.getName());
        set(arguments, "home", System.getProperty("java.home"));
        String classes = System.getProperty("java.class.path");
        set(arguments, "options", "-XX:TieredStopAtLevel=1 -Xmx256m -cp \"" + classes + "\"");
        return connector.launch(arguments);
    }

    private static void set(Map<String, Connector.Argument> arguments, String name, String value) {
        requireNonNull(arguments.get(name)).setValue(value);
    }

    /** Runs under the debugger: a client whose member stops and restarts. */
    static final class ReconnectingClient {

        private ReconnectingClient() {}

        public static void main(String[] arguments) {
            TestMember member = new TestMember();
            HazelcastWire wire = member.client().open();
            awaitUp(wire, true);
            member.stop();
            awaitUp(wire, false);
            member.restart();
            awaitUp(wire, true);
            Runtime.getRuntime().halt(0);
        }

        private static void awaitUp(HazelcastWire wire, boolean up) {
            try {
                await().atMost(Duration.ofSeconds(20)).until(() -> wire.isUp() == up);
            } catch (RuntimeException e) {
                Runtime.getRuntime().halt(1);
            }
        }
    }

    private static final class SuspendedStart implements AutoCloseable {

        private final VirtualMachine machine;
        private @Nullable EventSet suspended;
        private @Nullable ThreadReference connecting;
        private boolean wasSuspended;

        SuspendedStart(VirtualMachine machine) {
            this.machine = machine;
        }

        void handleEvents() throws InterruptedException {
            notifyWhenLoaded(CONNECTION_MANAGER);
            notifyWhenLoaded(StartGate.class.getName());
            try {
                while (true) {
                    EventSet events = machine.eventQueue().remove(POLL_INTERVAL_MILLIS);
                    if (events == null) {
                        resumeStartIfAwaited();
                    } else if (shouldResume(events)) {
                        events.resume();
                    }
                }
            } catch (VMDisconnectedException e) {
                // the process has exited
            }
        }

        private void notifyWhenLoaded(String type) {
            ClassPrepareRequest loaded = machine.eventRequestManager().createClassPrepareRequest();
            loaded.addClassFilter(type);
            loaded.enable();
        }

        private boolean shouldResume(EventSet events) {
            boolean resume = true;
            for (Event event : events) {
                resume &= shouldResume(event, events);
            }
            return resume;
        }

        private boolean shouldResume(Event event, EventSet events) {
            if (event instanceof ClassPrepareEvent loaded) {
                addBreakpoint(loaded.referenceType());
            } else if (event instanceof ModificationWatchpointEvent flagChange) {
                return shouldResume(flagChange, events);
            } else if (event instanceof BreakpointEvent credentialsRequested) {
                connecting = credentialsRequested.thread();
            } else if (event instanceof StepEvent) {
                resumeStart(); // the client connected before the flag was set
            }
            return true;
        }

        private boolean shouldResume(ModificationWatchpointEvent flagChange, EventSet events) {
            boolean isConnecting = ((PrimitiveValue) flagChange.valueToBe()).booleanValue();
            if (isConnecting && !wasSuspended) {
                suspended = events;
                wasSuspended = true;
                return false;
            }
            if (!isConnecting && suspended != null) {
                StepRequest done = machine.eventRequestManager()
                        .createStepRequest(flagChange.thread(), StepRequest.STEP_LINE, StepRequest.STEP_OVER);
                done.addCountFilter(1);
                enable(done);
            }
            return true;
        }

        private void addBreakpoint(ReferenceType type) {
            if (type.name().equals(CONNECTION_MANAGER)) {
                Field flag = type.fieldByName(CONNECTING_FLAG);
                enable(machine.eventRequestManager().createModificationWatchpointRequest(flag));
            } else {
                enable(machine.eventRequestManager()
                        .createBreakpointRequest(
                                type.methodsByName("newCredentials").get(0).location()));
            }
        }

        private static void enable(EventRequest request) {
            request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            request.enable();
        }

        private void resumeStartIfAwaited() {
            ThreadReference thread = connecting;
            if (thread == null || suspended == null) {
                return;
            }
            thread.suspend();
            try {
                if (thread.status() == ThreadReference.THREAD_STATUS_WAIT && isIn(StartGate.class, thread)) {
                    resumeStart();
                }
            } finally {
                thread.resume();
            }
        }

        private static boolean isIn(Class<?> type, ThreadReference thread) {
            try {
                return thread.frames().stream()
                        .anyMatch(
                                frame -> frame.location().declaringType().name().equals(type.getName()));
            } catch (IncompatibleThreadStateException e) {
                throw new AssertionError(e); // impossible: the thread is suspended
            }
        }

        private void resumeStart() {
            EventSet start = suspended;
            if (start != null) {
                suspended = null;
                start.resume();
            }
        }

        @Override
        public void close() {
            try {
                machine.dispose();
            } catch (VMDisconnectedException e) {
                // the process has exited
            }
        }
    }
}
