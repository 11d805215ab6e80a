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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class AnswerHandshake {
    static final String SECRET = System.getenv().getOrDefault("MALIPO_WEBHOOK_SECRET", "whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==");
    static final int TOLERANCE_SECONDS = 300;
    // Your own records: write a reference here before you send its payout.
    static final Set<String> sentPayouts = Set.of("PAYOUT-2026-0001");
    // Batches with the number of their payouts, where one handshake per batch is switched on.
    static final Map<String, Integer> sentBatches = Map.of("SALARIES-2026-03", 2);
    static final Pattern BATCH = Pattern.compile("\"batch_reference\":\"([^\"]+)\",\"payouts\":([0-9]{1,5}),");

    static boolean isGenuine(Headers headers, byte[] body) throws GeneralSecurityException {
        var id = String.valueOf(headers.getFirst("webhook-id"));
        var timestamp = String.valueOf(headers.getFirst("webhook-timestamp"));
        if (!timestamp.matches("[0-9]{10}")) return false;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) return false;
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(SECRET.replaceFirst("^whsec_", "")), "HmacSHA256"));
        // The handshake of a single payout has no body: nothing follows the second full stop.
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        var signature = mac.doFinal(body);
        var expected = ("v1," + Base64.getEncoder().encodeToString(signature)).getBytes(StandardCharsets.UTF_8);
        for (var given : String.valueOf(headers.getFirst("webhook-signature")).split(" ")) {
            if (MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8))) return true;
        }
        return false;
    }

    static int answer(HttpExchange exchange) {
        try {
            var body = exchange.getRequestBody().readAllBytes();
            var isGenuine = isGenuine(exchange.getRequestHeaders(), body);
            if (exchange.getRequestMethod().equals("POST")) {
                // Its fields come in this order. The signature covers them.
                var asked = BATCH.matcher(new String(body, StandardCharsets.UTF_8));
                var isOurs = asked.find() && String.valueOf(sentBatches.get(asked.group(1))).equals(asked.group(2));
                return isGenuine && isOurs ? 200 : 404;
            }
            // References are letters, digits and ._~- only: they come as they are.
            var query = String.valueOf(exchange.getRequestURI().getRawQuery());
            var reference = query.startsWith("reference=") ? query.substring("reference=".length()) : "";
            // The signature does not cover the reference: only your own records can say yes.
            return isGenuine && sentPayouts.contains(reference) ? 200 : 404;
        } catch (Exception error) {
            // A 4xx would reject the payout for good: after this Malipo asks again.
            error.printStackTrace();
            return 500;
        }
    }

    public static void main(String[] arguments) throws IOException {
        // Not answered with 404, which would reject your payouts for good.
        if (!SECRET.startsWith("whsec_")) throw new IllegalStateException("MALIPO_WEBHOOK_SECRET must begin with whsec_");
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 3000), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(answer(exchange), -1);
            exchange.close();
        });
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }
}
