import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class ReceiveCallback {
    static final String SECRET = System.getenv().getOrDefault("MALIPO_WEBHOOK_SECRET", "whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==");
    static final int TOLERANCE_SECONDS = 300;
    static final int BODY_BYTES_MAX = 65536;
    // In production a unique index in your database, written together with what you book.
    static final Set<String> handled = new HashSet<>();

    static boolean isGenuine(Headers headers, byte[] body) throws GeneralSecurityException {
        var id = String.valueOf(headers.getFirst("webhook-id"));
        var timestamp = String.valueOf(headers.getFirst("webhook-timestamp"));
        if (!timestamp.matches("[0-9]{10}")) return false;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) return false;
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(SECRET.replaceFirst("^whsec_", "")), "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        var expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        for (var given : String.valueOf(headers.getFirst("webhook-signature")).split(" ")) {
            if (MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8))) return true;
        }
        return false;
    }

    static void book(byte[] body) {
        // Java itself has no JSON: read payload with the library of your project. What counts is payload.transaction_status,
        // and payload.total_credit of a collection or payload.total_debit of a payout.
        System.out.println(new String(body, StandardCharsets.UTF_8));
    }

    static int receive(HttpExchange exchange) {
        try {
            // The body as it arrived, byte for byte.
            var body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX);
            if (!isGenuine(exchange.getRequestHeaders(), body)) return 401;
            var id = exchange.getRequestHeaders().getFirst("webhook-id");
            synchronized (handled) {
                if (!handled.contains(id)) {
                    book(body);
                    // Only now: what could not be booked must come again.
                    handled.add(id);
                }
            }
            return 204;
        } catch (Exception error) {
            // Malipo sends it again.
            error.printStackTrace();
            return 500;
        }
    }

    public static void main(String[] arguments) throws IOException {
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 3000), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(receive(exchange), -1);
            exchange.close();
        });
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }
}
