package io.holdfast.admin.operation;

/** The names of the fields of requests, which are also the options of their actions. */
final class Fields {

    static final String FROM = "from";
    static final String SEGMENT = "segment";
    static final String STREAM = "stream";
    static final String POSITION = "position";
    static final String STEP = "step";
    static final String VERSION = "version";

    private Fields() {}
}
