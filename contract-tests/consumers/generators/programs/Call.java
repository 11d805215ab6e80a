// Lists the providers and starts a collection with the client that openapi-generator generated.
import java.math.BigDecimal;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.CollectionsApi;
import org.openapitools.client.api.ReferenceDataApi;
import org.openapitools.client.model.CollectionRequest;
import org.openapitools.client.model.MobileMoneyCollectionRequest;

public class Call {
    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(arguments[0]);
        client.setRequestInterceptor(request -> request.header("public-key", "pub_sandbox_demo"));
        var providers = new ReferenceDataApi(client).listPaymentProviders("1", "UGX", "COLLECTION", null, null);
        var request = new MobileMoneyCollectionRequest()
            .transactionMethod(MobileMoneyCollectionRequest.TransactionMethodEnum.MOBILE_MONEY)
            .providerCode(providers.getData().getPaymentProviders().stream().filter(each -> each.getProviderCode().equals("mtn_ug")).findFirst().orElseThrow().getProviderCode())
            .merchantReference("auto")
            .msisdn("256772000123")
            .currency("UGX")
            .amount(new BigDecimal(5000))
            .description("Two coffees please");
        var accepted = new CollectionsApi(client).initializeCollection("1", new CollectionRequest(request), null, null, null);
        System.out.println("accepted " + accepted.getData().getMerchantReference());
    }
}
