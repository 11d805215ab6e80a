<?php
// Try it with: php -S 127.0.0.1:3000 answer-handshake.php
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
        if (!str_starts_with($secret, 'whsec_')) {
            // Not answered with 404, which would reject your payouts for good.
            http_response_code(500);
            exit('A webhook secret begins with whsec_');
        }
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

// Your own records: write a reference here before you send its payout.
$sentPayouts = ['PAYOUT-2026-0001'];
// Batches with the number of their payouts, where one handshake per batch is switched on.
$sentBatches = ['SALARIES-2026-03' => 2];

if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $body = (string) file_get_contents('php://input');
    $batch = is_genuine($body) ? json_decode($body, true)['payload'] : [];
    $isOurs = isset($batch['payouts']) && ($sentBatches[$batch['batch_reference']] ?? 0) === $batch['payouts'];
} else {
    // This handshake has no body. The signature does not cover the reference: only your own records can say yes.
    $isOurs = is_genuine('') && in_array($_GET['reference'] ?? '', $sentPayouts, true);
}
http_response_code($isOurs ? 200 : 404);
