package io.holdfast.examples.shop.web;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** A request whose body is already in memory. */
final class BufferedBody extends HttpServletRequestWrapper {

    private final ServletInputStream body;

    BufferedBody(HttpServletRequest request, byte[] body) {
        super(request);
        this.body = new Bytes(new ByteArrayInputStream(body));
    }

    @Override
    public ServletInputStream getInputStream() {
        return body;
    }

    @Override
    public BufferedReader getReader() {
        String encoding = getCharacterEncoding();
        Charset charset = encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
        return new BufferedReader(new InputStreamReader(body, charset));
    }

    private static final class Bytes extends ServletInputStream {

        private final ByteArrayInputStream bytes;

        Bytes(ByteArrayInputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return bytes.read(target, offset, length);
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("the body is already buffered; read it without a ReadListener");
        }
    }
}
