using System;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

// Your own reference, stored before you ask: when no reply arrives, send the same again, and nobody pays twice.
var orderReference = $"ORDER-{DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()}";
var body = JsonSerializer.Serialize(new
{
    transaction_method = "MOBILE_MONEY",
    provider_code = "mtn_ug",
    merchant_reference = orderReference,
    msisdn = "256772000123",
    currency = "UGX",
    amount = 5000,
    description = "Order 2026-0001",
});
using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
client.DefaultRequestHeaders.Add("public-key", "pub_sandbox_demo");
client.DefaultRequestHeaders.Add("x-api-version", "1");
client.DefaultRequestHeaders.Add("Idempotency-Key", orderReference);
using var content = new StringContent(body, Encoding.UTF8, "application/json");
try
{
    using var response = await client.PostAsync("http://127.0.0.1:8080/collections/initialize", content);
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
