import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

class PredictProvider {
    public static void main(String[] arguments) throws Exception {
        var url = "http://127.0.0.1:8080/data/predict-provider?msisdn=256772000123";
        var request = HttpRequest.newBuilder(URI.create(url))
            .header("public-key", "pub_sandbox_demo")
            .header("x-api-version", "1")
            .timeout(Duration.ofSeconds(30))
            .build();
        try {
            var reply = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            if (reply.statusCode() != 200) {
                System.err.println(reply.body());
                System.exit(1);
            }
            // Java itself has no JSON: read the body with the library of your project. data.provider_code, if
            // there is one, is the provider of the number, and data.source says how sure that is.
            System.out.println(reply.body());
        } catch (IOException failure) {
            System.err.println("No reply: " + failure);
            System.exit(1);
        }
    }
}
