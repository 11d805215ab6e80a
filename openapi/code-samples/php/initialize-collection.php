<?php
// Your own reference, stored before you ask: when no reply arrives, send the same again, and nobody pays twice.
$orderReference = uniqid('ORDER-');
$curl = curl_init('http://127.0.0.1:8080/collections/initialize');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_HTTPHEADER => [
        'public-key: pub_sandbox_demo',
        'x-api-version: 1',
        'Content-Type: application/json',
        "Idempotency-Key: $orderReference",
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'transaction_method' => 'MOBILE_MONEY',
        'provider_code' => 'mtn_ug',
        'merchant_reference' => $orderReference,
        'msisdn' => '256772000123',
        'currency' => 'UGX',
        'amount' => 5000,
        'description' => 'Order 2026-0001',
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
echo "accepted, not yet paid: {$reply['data']['internal_reference']}\n";
