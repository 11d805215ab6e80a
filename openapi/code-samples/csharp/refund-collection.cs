using System;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

// Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is refunded twice.
var refundReference = $"REFUND-{DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()}";
var body = JsonSerializer.Serialize(new
{
    merchant_reference = refundReference,
    amount = 2000,
    collection_reference = "ORDER-2026-0001",
    reason = "One of two items returned",
});
using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
client.DefaultRequestHeaders.Add("public-key", "pub_sandbox_demo");
client.DefaultRequestHeaders.Add("secret-key", "sec_sandbox_demo");
client.DefaultRequestHeaders.Add("x-api-version", "1");
client.DefaultRequestHeaders.Add("Idempotency-Key", refundReference);
using var content = new StringContent(body, Encoding.UTF8, "application/json");
try
{
    using var response = await client.PostAsync("http://127.0.0.1:8080/collections/refund", content);
    using var reply = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
    if (!response.IsSuccessStatusCode)
    {
        Console.Error.WriteLine(reply.RootElement.GetProperty("message"));
        return 1;
    }
    Console.WriteLine($"accepted, not yet refunded: {reply.RootElement.GetProperty("data").GetProperty("internal_reference")}");
    return 0;
}
catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException)
{
    Console.Error.WriteLine($"No reply: {failure.Message}");
    return 1;
}
