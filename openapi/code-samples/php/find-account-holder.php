<?php
$curl = curl_init('http://127.0.0.1:8080/data/account-holder?provider_code=mtn_ug&msisdn=256772000123');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_HTTPHEADER => ['public-key: pub_sandbox_demo', 'secret-key: sec_sandbox_demo', 'x-api-version: 1'],
]);
$body = curl_exec($curl);
if ($body === false) {
    fwrite(STDERR, 'No reply: ' . curl_error($curl) . "\n");
    exit(1);
}
$reply = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
if ($reply['code'] !== 200) {
    fwrite(STDERR, "{$reply['message']}\n");
    exit(1);
}
echo $reply['data']['account_status'] . ' ' . ($reply['data']['masked_name'] ?? '(none)') . "\n";
