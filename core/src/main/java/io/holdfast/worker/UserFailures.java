package io.holdfast.worker;

/** What a user's code throws: that is a failure of its own, and must not end the thread that runs it for everybody. */
public final class UserFailures {

    private UserFailures() {}

    /**
     * Checked exceptions, which other languages throw without saying so, and the errors of libraries are failures like
     * others. So is a stack that was too deep: it is free again.
     *
     * @return what was thrown
     * @throws VirtualMachineError if that is what was thrown: the process cannot be relied on
     */
    public static Throwable throwIfFatal(Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal && !(thrown instanceof StackOverflowError)) {
            throw fatal;
        }
        return thrown;
    }
}
