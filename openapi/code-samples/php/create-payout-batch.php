<?php
// Your own references, stored before you ask: sent again, the same batch pays nobody twice.
$batchReference = uniqid('SALARIES-');
$curl = curl_init('http://127.0.0.1:8080/payout/batches');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_HTTPHEADER => [
        'public-key: pub_sandbox_demo',
        'secret-key: sec_sandbox_demo',
        'x-api-version: 1',
        'Content-Type: application/json',
        "Idempotency-Key: $batchReference",
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'batch_reference' => $batchReference,
        'payouts' => [[
            'transaction_method' => 'MOBILE_MONEY',
            'provider_code' => 'mtn_ug',
            'merchant_reference' => "$batchReference-1",
            'account_number' => '256772000123',
            'customer_name' => 'Grace Auma',
            'currency' => 'UGX',
            'amount' => 20000,
            'description' => 'Salary of March',
        ]],
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
echo "accepted, not yet paid: {$reply['data']['batch_reference']}\n";
