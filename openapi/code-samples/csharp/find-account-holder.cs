using System;
using System.Net.Http;
using System.Text.Json;
using System.Threading.Tasks;

const string url = "http://127.0.0.1:8080/data/account-holder?provider_code=mtn_ug&msisdn=256772000123";
using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
client.DefaultRequestHeaders.Add("public-key", "pub_sandbox_demo");
client.DefaultRequestHeaders.Add("secret-key", "sec_sandbox_demo");
client.DefaultRequestHeaders.Add("x-api-version", "1");
try
{
    using var response = await client.GetAsync(url);
    using var reply = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
    if (!response.IsSuccessStatusCode)
    {
        Console.Error.WriteLine(reply.RootElement.GetProperty("message"));
        return 1;
    }
    var data = reply.RootElement.GetProperty("data");
    var name = data.TryGetProperty("masked_name", out var value) ? value.GetString() : "(none)";
    Console.WriteLine($"{data.GetProperty("account_status")} {name}");
    return 0;
}
catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException)
{
    Console.Error.WriteLine($"No reply: {failure.Message}");
    return 1;
}
