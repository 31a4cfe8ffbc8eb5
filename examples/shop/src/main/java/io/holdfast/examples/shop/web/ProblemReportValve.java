package io.holdfast.examples.shop.web;

import java.io.IOException;
import java.io.Writer;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** Writes a problem detail for requests that Tomcat rejects before they reach the service's code. */
final class ProblemReportValve extends ErrorReportValve {

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < HttpStatus.BAD_REQUEST.value()
                || response.getContentWritten() > 0
                || !response.setErrorReported()) {
            return;
        }
        try {
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            response.setCharacterEncoding("UTF-8");
            Writer body = response.getReporter();
            if (body != null) {
                body.write("{\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}"
                        .formatted(title(status), status, detail(status)));
                response.finishResponse();
            }
        } catch (IOException e) {
            container.getLogger().debug("The client closed the connection before the problem detail was sent", e);
        }
    }

    private static String title(int status) {
        HttpStatus known = HttpStatus.resolve(status);
        return known == null ? "Error" : known.getReasonPhrase();
    }

    private static String detail(int status) {
        return status < HttpStatus.INTERNAL_SERVER_ERROR.value()
                ? "The request could not be parsed. Check the path, the headers and their encoding."
                : "The service could not process the request.";
    }
}
