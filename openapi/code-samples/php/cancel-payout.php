<?php
$curl = curl_init('http://127.0.0.1:8080/payout/cancel');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_HTTPHEADER => [
        'public-key: pub_sandbox_demo',
        'secret-key: sec_sandbox_demo',
        'x-api-version: 1',
        'Content-Type: application/json',
        'Idempotency-Key: cancel-PAYOUT-2026-0001',
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'merchant_reference' => 'PAYOUT-2026-0001',
    ], JSON_THROW_ON_ERROR),
]);
$body = curl_exec($curl);
if ($body === false) {
    fwrite(STDERR, 'No reply: ' . curl_error($curl) . "\n");
    exit(1);
}
$reply = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
if ($reply['code'] !== 202) {
    $what = $reply['code'] === 409 ? 'too late' : 'refused';
    fwrite(STDERR, "$what: {$reply['message']}\n");
    exit(1);
}
echo "cancelled {$reply['data']['internal_reference']}\n";
