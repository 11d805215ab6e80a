<?php
// Try it with: php -S 127.0.0.1:3000 receive-callback.php
const SECRETS = ['whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='];
const TOLERANCE_SECONDS = 300;

function is_genuine(string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!preg_match('/^[A-Za-z0-9_-]{1,64}$/D', $id) || !preg_match('/^[0-9]{10}$/D', $timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    foreach (SECRETS as $secret) {
        $key = base64_decode(substr($secret, strlen('whsec_')));
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
            if (hash_equals($expected, $given)) {
                return true;
            }
        }
    }
    return false;
}

// The body as it arrived, byte for byte.
$body = (string) file_get_contents('php://input');
if (!is_genuine($body)) {
    http_response_code(401);
    exit;
}
// Whatever fails from here on: 500, and Malipo sends it again.
http_response_code(500);
// In production a unique index in your database, written together with what you book. A locked file lets one request at a time look and book, too.
$seen = @fopen(sys_get_temp_dir() . '/malipo-' . $_SERVER['HTTP_WEBHOOK_ID'], 'c+');
if ($seen === false || !flock($seen, LOCK_EX)) {
    exit;
}
if (fgets($seen) === false) {
    $payload = json_decode($body, true, flags: JSON_THROW_ON_ERROR)['payload'];
    // The end of a batch has none: each of its payouts reports itself.
    if (isset($payload['transaction_type'])) {
        $total = $payload['transaction_type'] === 'COLLECTION' ? $payload['total_credit'] : $payload['total_debit'];
        error_log("{$payload['merchant_reference']} {$payload['transaction_status']} $total {$payload['transaction_currency']}");
    }
    // Only now: what could not be booked must come again.
    fwrite($seen, 'booked');
}
http_response_code(204);
