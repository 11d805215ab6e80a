import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

class AuthorizeCollection {
    public static void main(String[] arguments) throws Exception {
        // The internal reference is in the reply to your collection. In the sandbox, numbers that end in 005 ask for the password 123456.
        var body = """
            {
              "internal_reference": "MLPSVQSA9PFZYCMK46KMQQBKS",
              "otp": 123456
            }
            """;
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:8080/collections/authorize"))
            .header("public-key", "pub_sandbox_demo")
            .header("x-api-version", "1")
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(30))
            .POST(BodyPublishers.ofString(body))
            .build();
        try {
            var reply = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            if (reply.statusCode() != 202) {
                var what = reply.statusCode() == 400 ? "ask the customer again" : "refused";
                System.err.println(what + ": " + reply.body());
                System.exit(1);
            }
            System.out.println("authorized: " + reply.body());
        } catch (IOException failure) {
            System.err.println("No reply: " + failure);
            System.exit(1);
        }
    }
}
