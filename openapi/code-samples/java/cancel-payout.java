import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

class CancelPayout {
    public static void main(String[] arguments) throws Exception {
        var body = """
            {
              "merchant_reference": "PAYOUT-2026-0001"
            }
            """;
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:8080/payout/cancel"))
            .header("public-key", "pub_sandbox_demo")
            .header("secret-key", "sec_sandbox_demo")
            .header("x-api-version", "1")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "cancel-PAYOUT-2026-0001")
            .timeout(Duration.ofSeconds(30))
            .POST(BodyPublishers.ofString(body))
            .build();
        try {
            var reply = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            if (reply.statusCode() != 202) {
                var what = reply.statusCode() == 409 ? "too late" : "refused";
                System.err.println(what + ": " + reply.body());
                System.exit(1);
            }
            System.out.println("cancelled: " + reply.body());
        } catch (IOException failure) {
            System.err.println("No reply: " + failure);
            System.exit(1);
        }
    }
}
