import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

class RetrieveRefund {
    public static void main(String[] arguments) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:8080/collections/refund/REFUND-2026-0001"))
            .header("public-key", "pub_sandbox_demo")
            .header("secret-key", "sec_sandbox_demo")
            .header("x-api-version", "1")
            .timeout(Duration.ofSeconds(30))
            .build();
        try {
            var reply = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            if (reply.statusCode() != 200) {
                System.err.println(reply.body());
                System.exit(1);
            }
            // Java itself has no JSON: read the body with the library of your project. The customer has the
            // money back when data.transaction_status is COMPLETED.
            System.out.println(reply.body());
        } catch (IOException failure) {
            System.err.println("No reply: " + failure);
            System.exit(1);
        }
    }
}
