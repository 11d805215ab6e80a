using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

const int ToleranceSeconds = 300;

var secret = Environment.GetEnvironmentVariable("MALIPO_WEBHOOK_SECRET") ?? "whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==";
// Not answered with 404, which would reject your payouts for good.
if (!secret.StartsWith("whsec_")) throw new FormatException("MALIPO_WEBHOOK_SECRET must begin with whsec_");
var key = Convert.FromBase64String(secret.Substring("whsec_".Length));
// Your own records: write a reference here before you send its payout.
var sentPayouts = new HashSet<string> { "PAYOUT-2026-0001" };
// Batches with the number of their payouts, where one handshake per batch is switched on.
var sentBatches = new Dictionary<string, int> { ["SALARIES-2026-03"] = 2 };

using var listener = new HttpListener();
listener.Prefixes.Add("http://127.0.0.1:3000/");
listener.Start();
while (true)
{
    var context = await listener.GetContextAsync();
    _ = Task.Run(() =>
    {
        context.Response.StatusCode = Answer(context.Request);
        context.Response.Close();
    });
}

bool IsGenuine(HttpListenerRequest request, byte[] body)
{
    var id = request.Headers["webhook-id"] ?? "";
    var timestamp = request.Headers["webhook-timestamp"] ?? "";
    if (!Regex.IsMatch(timestamp, @"^[0-9]{10}\z")) return false;
    if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp)) > ToleranceSeconds) return false;
    using var hmac = new HMACSHA256(key);
    // The handshake of a single payout has no body: nothing follows the second full stop.
    var signature = hmac.ComputeHash(Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray());
    var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(signature));
    return (request.Headers["webhook-signature"] ?? "")
        .Split(' ')
        .Any(given => CryptographicOperations.FixedTimeEquals(expected, Encoding.UTF8.GetBytes(given)));
}

int Answer(HttpListenerRequest request)
{
    try
    {
        using var received = new MemoryStream();
        request.InputStream.CopyTo(received);
        var body = received.ToArray();
        if (!IsGenuine(request, body)) return 404;
        if (request.HttpMethod == "POST")
        {
            var batch = JsonDocument.Parse(body).RootElement.GetProperty("payload");
            var isSent = sentBatches.TryGetValue(batch.GetProperty("batch_reference").GetString() ?? "", out var payouts);
            return isSent && payouts == batch.GetProperty("payouts").GetInt32() ? 200 : 404;
        }
        // The signature does not cover the reference: only your own records can say yes.
        return sentPayouts.Contains(request.QueryString["reference"] ?? "") ? 200 : 404;
    }
    catch (Exception error)
    {
        // A 4xx would reject the payout for good: after this Malipo asks again.
        Console.Error.WriteLine(error);
        return 500;
    }
}
