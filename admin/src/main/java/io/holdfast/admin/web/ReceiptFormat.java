package io.holdfast.admin.web;

import io.holdfast.admin.receipt.ReceiptDetails;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;

/** The formats in which receipts can be exported. The last line of an export has the number of receipts. */
enum ReceiptFormat {
    /** A JSON array. */
    JSON {
        @Override
        ResponseEntity<Object> respond(ResponseEntity.BodyBuilder response, List<ReceiptDetails> receipts) {
            return response.body(receipts);
        }
    },
    /** One JSON object per line. */
    JSONL {
        @Override
        ResponseEntity<Object> respond(ResponseEntity.BodyBuilder response, List<ReceiptDetails> receipts) {
            List<String> lines = new ArrayList<>(
                    receipts.stream().map(MAPPER::writeValueAsString).toList());
            lines.add("{\"count\":" + receipts.size() + "}");
            return text(response, "application/x-ndjson", lines);
        }
    },
    /** A table with a header. */
    CSV {
        @Override
        ResponseEntity<Object> respond(ResponseEntity.BodyBuilder response, List<ReceiptDetails> receipts) {
            List<String> lines = new ArrayList<>();
            lines.add("receiptId,service,kind,state,target,operator,role,reason,requestedAt,endedAt,totals");
            receipts.stream().map(ReceiptFormat::line).forEach(lines::add);
            lines.add("count," + receipts.size());
            return text(response, "text/csv", lines);
        }
    };

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** A cell that starts with one of these is a formula for spreadsheets. */
    private static final String FORMULA_STARTS = "=+-@\t\r";

    abstract ResponseEntity<Object> respond(ResponseEntity.BodyBuilder response, List<ReceiptDetails> receipts);

    private static ResponseEntity<Object> text(ResponseEntity.BodyBuilder response, String type, List<String> lines) {
        byte[] body = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
        return response.contentType(MediaType.parseMediaType(type + ";charset=UTF-8"))
                .body(body);
    }

    private static String line(ReceiptDetails receipt) {
        String services =
                receipt.parts().stream().map(ReceiptDetails.Part::service).collect(Collectors.joining(" "));
        String totals = receipt.totals().entrySet().stream()
                .map(total -> total.getKey() + "=" + total.getValue())
                .collect(Collectors.joining(" "));
        return Stream.of(
                        receipt.receiptId(),
                        services,
                        receipt.kind(),
                        receipt.state(),
                        receipt.target(),
                        receipt.operator(),
                        receipt.role(),
                        receipt.reason(),
                        receipt.requestedAt(),
                        receipt.endedAt(),
                        totals)
                .map(ReceiptFormat::cell)
                .collect(Collectors.joining(","));
    }

    private static String cell(@Nullable Object value) {
        String text = Objects.toString(value, "");
        String safe = !text.isEmpty() && FORMULA_STARTS.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        boolean isPlain = safe.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return isPlain ? safe : "\"" + safe.replace("\"", "\"\"") + "\"";
    }
}
