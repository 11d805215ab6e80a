<?php
// What the shop asks Malipo for.

/** Malipo answered with an error, or not at all: then the code is 0. */
class Refused extends RuntimeException
{
}

function ask_malipo(string $path, ?array $body = null, ?string $idempotencyKey = null): array
{
    $headers = ['public-key: ' . setting('MALIPO_PUBLIC_KEY'), 'x-api-version: 1', 'Content-Type: application/json'];
    if (str_starts_with($path, '/payout/') || str_starts_with($path, '/data/events')) {
        $headers[] = 'secret-key: ' . setting('MALIPO_SECRET_KEY');
    }
    if ($idempotencyKey !== null) {
        $headers[] = "Idempotency-Key: $idempotencyKey";
    }
    $curl = curl_init(rtrim(setting('MALIPO_URL'), '/') . $path);
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 10, CURLOPT_HTTPHEADER => $headers]);
    if ($body !== null) {
        curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body, JSON_THROW_ON_ERROR));
    }
    $reply = json_decode((string) curl_exec($curl), true);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if (!is_array($reply) || $status >= 400) {
        throw new Refused($reply['message'] ?? "Malipo answered $status", $status);
    }
    return $reply['data'];
}
