using System;
using System.Net.Http;
using System.Text.Json;
using System.Threading.Tasks;

using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
client.DefaultRequestHeaders.Add("public-key", "pub_sandbox_demo");
client.DefaultRequestHeaders.Add("secret-key", "sec_sandbox_demo");
client.DefaultRequestHeaders.Add("x-api-version", "1");
try
{
    using var response = await client.GetAsync("http://127.0.0.1:8080/data/wallet-balances?currency=UGX");
    using var reply = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
    if (!response.IsSuccessStatusCode)
    {
        Console.Error.WriteLine(reply.RootElement.GetProperty("message"));
        return 1;
    }
    foreach (var wallet in reply.RootElement.GetProperty("data").GetProperty("merchant_wallets").EnumerateArray())
    {
        Console.WriteLine($"{wallet.GetProperty("wallet_type")} {wallet.GetProperty("available_balance")} {wallet.GetProperty("currency")}");
    }
    return 0;
}
catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException)
{
    Console.Error.WriteLine($"No reply: {failure.Message}");
    return 1;
}
