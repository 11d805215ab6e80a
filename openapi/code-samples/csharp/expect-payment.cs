using System;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

// Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is expected twice.
var orderReference = $"ORDER-{DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()}";
var body = JsonSerializer.Serialize(new
{
    merchant_reference = orderReference,
    amount = 5000,
    provider_code = "mtn_ug",
    customer_reference = "auto",
    currency = "UGX",
    description = "Invoice 2026-1",
});
using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
client.DefaultRequestHeaders.Add("public-key", "pub_sandbox_demo");
client.DefaultRequestHeaders.Add("secret-key", "sec_sandbox_demo");
client.DefaultRequestHeaders.Add("x-api-version", "1");
client.DefaultRequestHeaders.Add("Idempotency-Key", orderReference);
using var content = new StringContent(body, Encoding.UTF8, "application/json");
try
{
    using var response = await client.PostAsync("http://127.0.0.1:8080/collections/expect", content);
    using var reply = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
    if (!response.IsSuccessStatusCode)
    {
        Console.Error.WriteLine(reply.RootElement.GetProperty("message"));
        return 1;
    }
    Console.WriteLine($"to be typed by the customer: {reply.RootElement.GetProperty("data").GetProperty("customer_reference")}");
    return 0;
}
catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException)
{
    Console.Error.WriteLine($"No reply: {failure.Message}");
    return 1;
}
