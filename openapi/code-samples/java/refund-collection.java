import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

class RefundCollection {
    public static void main(String[] arguments) throws Exception {
        // Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is refunded twice.
        var refundReference = "REFUND-" + System.currentTimeMillis();
        // In production by the JSON library of your project, which escapes what customers write; Java itself has none.
        var body = """
            {
              "merchant_reference": "%s",
              "amount": 2000,
              "collection_reference": "ORDER-2026-0001",
              "reason": "One of two items returned"
            }
            """.formatted(refundReference);
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:8080/collections/refund"))
            .header("public-key", "pub_sandbox_demo")
            .header("secret-key", "sec_sandbox_demo")
            .header("x-api-version", "1")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", refundReference)
            .timeout(Duration.ofSeconds(30))
            .POST(BodyPublishers.ofString(body))
            .build();
        try {
            var reply = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            if (reply.statusCode() != 202) {
                System.err.println(reply.body());
                System.exit(1);
            }
            System.out.println("accepted, not yet refunded: " + reply.body());
        } catch (IOException failure) {
            System.err.println("No reply: " + failure);
            System.exit(1);
        }
    }
}
