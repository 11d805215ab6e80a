<?php
// Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is expected twice.
$orderReference = uniqid('ORDER-');
$curl = curl_init('http://127.0.0.1:8080/collections/expect');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_HTTPHEADER => [
        'public-key: pub_sandbox_demo',
        'secret-key: sec_sandbox_demo',
        'x-api-version: 1',
        'Content-Type: application/json',
        "Idempotency-Key: $orderReference",
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'merchant_reference' => $orderReference,
        'amount' => 5000,
        'provider_code' => 'mtn_ug',
        'customer_reference' => 'auto',
        'currency' => 'UGX',
        'description' => 'Invoice 2026-1',
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
echo "to be typed by the customer: {$reply['data']['customer_reference']}\n";
