<?php
// Whether a message is Malipo's. Bytes are verified as they came, before anything reads them.

const TOLERANCE_SECONDS = 300;

// Callbacks and handshakes (Standard Webhooks): id, time and body under one of the signatures.
function is_genuine(string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!preg_match('/^[0-9]{10}$/D', $timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(substr(setting('MALIPO_WEBHOOK_SECRET'), strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // While a secret is being changed there are two.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

// A parameter of the address, if it is one text.
function parameter(string $name): string
{
    $value = $_GET[$name] ?? '';
    return is_string($value) ? $value : '';
}

// The address that a customer brings back. Neither amount nor time is signed: it chooses a page, no more.
function is_genuine_redirect(): bool
{
    $signed = ['event', 'merchant_reference', 'internal_reference', 'transaction_type', 'transaction_status'];
    $expected = hash_hmac('sha256', implode(':', array_map(parameter(...), $signed)), setting('MALIPO_SIGNING_KEY'));
    return preg_match('/^t=[0-9]+,s=([0-9a-f]{64})$/D', parameter('hmac_signature'), $given) === 1
        && hash_equals($expected, $given[1]);
}
