import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

class CreatePayoutBatch {
    public static void main(String[] arguments) throws Exception {
        // Your own references, stored before you ask: sent again, the same batch pays nobody twice.
        var batchReference = "SALARIES-" + System.currentTimeMillis();
        // In production by the JSON library of your project, which escapes what customers write; Java itself has none.
        var body = """
            {
              "batch_reference": "%1$s",
              "payouts": [{
                "transaction_method": "MOBILE_MONEY",
                "provider_code": "mtn_ug",
                "merchant_reference": "%1$s-1",
                "account_number": "256772000123",
                "customer_name": "Grace Auma",
                "currency": "UGX",
                "amount": 20000,
                "description": "Salary of March"
              }]
            }
            """.formatted(batchReference);
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:8080/payout/batches"))
            .header("public-key", "pub_sandbox_demo")
            .header("secret-key", "sec_sandbox_demo")
            .header("x-api-version", "1")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", batchReference)
            .timeout(Duration.ofSeconds(30))
            .POST(BodyPublishers.ofString(body))
            .build();
        try {
            var reply = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            if (reply.statusCode() != 202) {
                System.err.println(reply.body());
                System.exit(1);
            }
            System.out.println("accepted, not yet paid: " + reply.body());
        } catch (IOException failure) {
            System.err.println("No reply: " + failure);
            System.exit(1);
        }
    }
}
