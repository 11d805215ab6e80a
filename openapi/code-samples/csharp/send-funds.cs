using System;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

// Your own reference, stored before you ask: when no reply arrives, send the same again, and nobody is paid twice.
var payoutReference = $"PAYOUT-{DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()}";
var body = JsonSerializer.Serialize(new
{
    transaction_method = "MOBILE_MONEY",
    provider_code = "mtn_ug",
    merchant_reference = payoutReference,
    account_number = "256772000123",
    customer_name = "Grace Auma",
    currency = "UGX",
    amount = 20000,
    description = "Refund of order 17",
});
using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
client.DefaultRequestHeaders.Add("public-key", "pub_sandbox_demo");
client.DefaultRequestHeaders.Add("secret-key", "sec_sandbox_demo");
client.DefaultRequestHeaders.Add("x-api-version", "1");
client.DefaultRequestHeaders.Add("Idempotency-Key", payoutReference);
using var content = new StringContent(body, Encoding.UTF8, "application/json");
try
{
    using var response = await client.PostAsync("http://127.0.0.1:8080/payout/send-funds", content);
    using var reply = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
    if (!response.IsSuccessStatusCode)
    {
        Console.Error.WriteLine(reply.RootElement.GetProperty("message"));
        return 1;
    }
    Console.WriteLine($"accepted, not yet paid: {reply.RootElement.GetProperty("data").GetProperty("internal_reference")}");
    return 0;
}
catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException)
{
    Console.Error.WriteLine($"No reply: {failure.Message}");
    return 1;
}
