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
const int BodyBytesMax = 65_536;

var secret = Environment.GetEnvironmentVariable("MALIPO_WEBHOOK_SECRET") ?? "whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==";
if (!secret.StartsWith("whsec_")) throw new FormatException("MALIPO_WEBHOOK_SECRET must begin with whsec_");
var key = Convert.FromBase64String(secret.Substring("whsec_".Length));
// In production a unique index in your database, written together with what you book.
var handled = new HashSet<string>();

using var listener = new HttpListener();
listener.Prefixes.Add("http://127.0.0.1:3000/");
listener.Start();
while (true)
{
    var context = await listener.GetContextAsync();
    _ = Task.Run(() =>
    {
        context.Response.StatusCode = Receive(context.Request);
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
    var signature = hmac.ComputeHash(Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray());
    var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(signature));
    return (request.Headers["webhook-signature"] ?? "")
        .Split(' ')
        .Any(given => CryptographicOperations.FixedTimeEquals(expected, Encoding.UTF8.GetBytes(given)));
}

void Book(byte[] body)
{
    using var callback = JsonDocument.Parse(body);
    var payload = callback.RootElement.GetProperty("payload");
    // The end of a batch has none: each of its payouts reports itself.
    if (!payload.TryGetProperty("transaction_type", out var type)) return;
    var isCollection = type.GetString() == "COLLECTION";
    var total = payload.GetProperty(isCollection ? "total_credit" : "total_debit");
    Console.WriteLine($"{payload.GetProperty("merchant_reference")} {payload.GetProperty("transaction_status")} {total} {payload.GetProperty("transaction_currency")}");
}

int Receive(HttpListenerRequest request)
{
    try
    {
        if (request.ContentLength64 is < 0 or > BodyBytesMax) return 401;
        // The body as it arrived, byte for byte.
        using var stream = new MemoryStream();
        request.InputStream.CopyTo(stream);
        var body = stream.ToArray();
        if (!IsGenuine(request, body)) return 401;
        var id = request.Headers["webhook-id"] ?? "";
        lock (handled)
        {
            if (!handled.Contains(id))
            {
                Book(body);
                // Only now: what could not be booked must come again.
                handled.Add(id);
            }
        }
        return 204;
    }
    catch (Exception error)
    {
        // Malipo sends it again.
        Console.Error.WriteLine(error);
        return 500;
    }
}
