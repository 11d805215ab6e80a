using System;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

var body = JsonSerializer.Serialize(new
{
    merchant_reference = "PAYOUT-2026-0001",
});
using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
client.DefaultRequestHeaders.Add("public-key", "pub_sandbox_demo");
client.DefaultRequestHeaders.Add("secret-key", "sec_sandbox_demo");
client.DefaultRequestHeaders.Add("x-api-version", "1");
client.DefaultRequestHeaders.Add("Idempotency-Key", "cancel-PAYOUT-2026-0001");
using var content = new StringContent(body, Encoding.UTF8, "application/json");
try
{
    using var response = await client.PostAsync("http://127.0.0.1:8080/payout/cancel", content);
    using var reply = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
    if (!response.IsSuccessStatusCode)
    {
        var what = (int)response.StatusCode == 409 ? "too late" : "refused";
        Console.Error.WriteLine($"{what}: {reply.RootElement.GetProperty("message")}");
        return 1;
    }
    Console.WriteLine($"cancelled {reply.RootElement.GetProperty("data").GetProperty("internal_reference")}");
    return 0;
}
catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException)
{
    Console.Error.WriteLine($"No reply: {failure.Message}");
    return 1;
}
