<?php
// Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is refunded twice.
$refundReference = uniqid('REFUND-');
$curl = curl_init('http://127.0.0.1:8080/collections/refund');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_HTTPHEADER => [
        'public-key: pub_sandbox_demo',
        'secret-key: sec_sandbox_demo',
        'x-api-version: 1',
        'Content-Type: application/json',
        "Idempotency-Key: $refundReference",
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'merchant_reference' => $refundReference,
        'amount' => 2000,
        'collection_reference' => 'ORDER-2026-0001',
        'reason' => 'One of two items returned',
    ], JSON_THROW_ON_ERROR),
]);
$body = curl_exec($curl);
if ($body === false) {
    fwrite(STDERR, 'No reply: ' . curl_error($curl) . "\n");
    exit(1);
}
$reply = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
if ($reply['code'] !== 202) {
    fwrite(STDERR, "{$reply['message']}\n");
    exit(1);
}
echo "accepted, not yet refunded: {$reply['data']['internal_reference']}\n";
