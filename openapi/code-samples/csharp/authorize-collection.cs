using System;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

// The internal reference is in the reply to your collection. In the sandbox, numbers that end in 005 ask for the password 123456.
var body = JsonSerializer.Serialize(new
{
    internal_reference = "MLPSVQSA9PFZYCMK46KMQQBKS",
    otp = 123456,
});
using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
client.DefaultRequestHeaders.Add("public-key", "pub_sandbox_demo");
client.DefaultRequestHeaders.Add("x-api-version", "1");
using var content = new StringContent(body, Encoding.UTF8, "application/json");
try
{
    using var response = await client.PostAsync("http://127.0.0.1:8080/collections/authorize", content);
    using var reply = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
    if (!response.IsSuccessStatusCode)
    {
        var what = (int)response.StatusCode == 400 ? "ask the customer again" : "refused";
        Console.Error.WriteLine($"{what}: {reply.RootElement.GetProperty("message")}");
        return 1;
    }
    Console.WriteLine($"authorized {reply.RootElement.GetProperty("data").GetProperty("internal_reference")}");
    return 0;
}
catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException)
{
    Console.Error.WriteLine($"No reply: {failure.Message}");
    return 1;
}
