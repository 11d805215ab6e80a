import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

class FindAccountHolder {
    public static void main(String[] arguments) throws Exception {
        var url = "http://127.0.0.1:8080/data/account-holder?provider_code=mtn_ug&msisdn=256772000123";
        var request = HttpRequest.newBuilder(URI.create(url))
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
            // Java itself has no JSON: read the body with the library of your project. data.account_status says whether the number can be paid, and data.masked_name, if
            // the operator gives a name, who has it.
            System.out.println(reply.body());
        } catch (IOException failure) {
            System.err.println("No reply: " + failure);
            System.exit(1);
        }
    }
}
