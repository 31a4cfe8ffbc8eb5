package io.holdfast;

/** Classifies exceptions thrown by user code, which must not terminate the shared thread that runs it. */
public final class UserFailures {

    private UserFailures() {}

    /**
     * Rethrows fatal errors. Undeclared checked exceptions, as other JVM languages throw them, and libraries' errors
     * count as ordinary failures. So does a stack overflow, because the stack has been unwound.
     *
     * @return {@code thrown}, if it is not fatal
     * @throws VirtualMachineError if that was thrown, because the process is no longer reliable
     */
    public static Throwable throwIfFatal(Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal && !(thrown instanceof StackOverflowError)) {
            throw fatal;
        }
        return thrown;
    }
}
