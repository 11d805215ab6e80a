using System;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

// Your own references, stored before you ask: sent again, the same batch pays nobody twice.
var batchReference = $"SALARIES-{DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()}";
var body = JsonSerializer.Serialize(new
{
    batch_reference = batchReference,
    payouts = new[]
    {
        new
        {
            transaction_method = "MOBILE_MONEY",
            provider_code = "mtn_ug",
            merchant_reference = $"{batchReference}-1",
            account_number = "256772000123",
            customer_name = "Grace Auma",
            currency = "UGX",
            amount = 20000,
            description = "Salary of March",
        },
    },
});
using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
client.DefaultRequestHeaders.Add("public-key", "pub_sandbox_demo");
client.DefaultRequestHeaders.Add("secret-key", "sec_sandbox_demo");
client.DefaultRequestHeaders.Add("x-api-version", "1");
client.DefaultRequestHeaders.Add("Idempotency-Key", batchReference);
using var content = new StringContent(body, Encoding.UTF8, "application/json");
try
{
    using var response = await client.PostAsync("http://127.0.0.1:8080/payout/batches", content);
    using var reply = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
    if (!response.IsSuccessStatusCode)
    {
        Console.Error.WriteLine(reply.RootElement.GetProperty("message"));
        return 1;
    }
    Console.WriteLine($"accepted, not yet paid: {reply.RootElement.GetProperty("data").GetProperty("batch_reference")}");
    return 0;
}
catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException)
{
    Console.Error.WriteLine($"No reply: {failure.Message}");
    return 1;
}
