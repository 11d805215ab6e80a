<?php
// The internal reference is in the reply to your collection. In the sandbox, numbers that end in 005 ask for the password 123456.
$curl = curl_init('http://127.0.0.1:8080/collections/authorize');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_HTTPHEADER => [
        'public-key: pub_sandbox_demo',
        'x-api-version: 1',
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'internal_reference' => 'MLPSVQSA9PFZYCMK46KMQQBKS',
        'otp' => 123456,
    ], JSON_THROW_ON_ERROR),
]);
$body = curl_exec($curl);
if ($body === false) {
    fwrite(STDERR, 'No reply: ' . curl_error($curl) . "\n");
    exit(1);
}
$reply = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
if ($reply['code'] !== 202) {
    $what = $reply['code'] === 400 ? 'ask the customer again' : 'refused';
    fwrite(STDERR, "$what: {$reply['message']}\n");
    exit(1);
}
echo "authorized {$reply['data']['internal_reference']}\n";
