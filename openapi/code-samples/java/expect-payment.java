import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

class ExpectPayment {
    public static void main(String[] arguments) throws Exception {
        // Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is expected twice.
        var orderReference = "ORDER-" + System.currentTimeMillis();
        // In production by the JSON library of your project, which escapes what customers write; Java itself has none.
        var body = """
            {
              "merchant_reference": "%s",
              "amount": 5000,
              "provider_code": "mtn_ug",
              "customer_reference": "auto",
              "currency": "UGX",
              "description": "Invoice 2026-1"
            }
            """.formatted(orderReference);
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:8080/collections/expect"))
            .header("public-key", "pub_sandbox_demo")
            .header("secret-key", "sec_sandbox_demo")
            .header("x-api-version", "1")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", orderReference)
            .timeout(Duration.ofSeconds(30))
            .POST(BodyPublishers.ofString(body))
            .build();
        try {
            var reply = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            if (reply.statusCode() != 202) {
                System.err.println(reply.body());
                System.exit(1);
            }
            System.out.println("to be typed by the customer: " + reply.body());
        } catch (IOException failure) {
            System.err.println("No reply: " + failure);
            System.exit(1);
        }
    }
}
