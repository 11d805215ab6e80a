<?php
// The shop's own records: what Malipo says is held against them. They are one file of JSON, so that no extension is
// needed; in earnest they are tables, and `with_orders` is a transaction.

/**
 * Lets one request at a time look and write: of two callbacks at the same moment one finds the order waiting.
 *
 * @template T
 * @param callable(array): T $use takes the records by reference
 * @return T
 */
function with_orders(callable $use): mixed
{
    $path = getenv('SHOP_ORDERS_FILE') ?: __DIR__ . '/../orders.json';
    $file = fopen($path, 'c+');
    if ($file === false || !flock($file, LOCK_EX)) {
        throw new RuntimeException("$path cannot be locked");
    }
    $records = json_decode(stream_get_contents($file) ?: '{"orders":{},"payouts":{}}', true, flags: JSON_THROW_ON_ERROR);
    $before = $records;
    $result = $use($records);
    if ($records !== $before) {
        $text = json_encode(array_map(fn ($part) => (object) $part, $records), JSON_THROW_ON_ERROR);
        rewind($file);
        ftruncate($file, 0);
        fwrite($file, $text);
        fflush($file);
    }
    fclose($file);
    return $result;
}

function add_order(string $reference, int|float $amount, string $currency): void
{
    with_orders(function (array &$records) use ($reference, $amount, $currency): void {
        $records['orders'][$reference] ??= ['amount' => $amount, 'currency' => $currency, 'state' => 'waiting', 'fulfilments' => 0];
    });
}

// Before a payout is sent: the handshake asks whether it is ours.
function add_payout(string $reference): void
{
    with_orders(function (array &$records) use ($reference): void {
        $records['payouts'][$reference] ??= 'SENT';
    });
}

function find_order(string $reference): ?array
{
    return with_orders(fn (array &$records) => $records['orders'][$reference] ?? null);
}

function knows_payout(string $reference): bool
{
    return with_orders(fn (array &$records) => isset($records['payouts'][$reference]));
}

// Before a batch is sent, where one handshake asks about all of its payouts.
function add_batch(string $reference, int $payouts): void
{
    with_orders(function (array &$records) use ($reference, $payouts): void {
        $records['batches'][$reference] ??= $payouts;
    });
}

function knows_batch(string $reference, int $payouts): bool
{
    return with_orders(fn (array &$records) => ($records['batches'][$reference] ?? 0) === $payouts && $payouts > 0);
}

// The number of the last event that was read; 0 at first.
function last_event(): int
{
    return with_orders(fn (array &$records) => $records['read']['events'] ?? 0);
}

function remember_event(int $number): void
{
    with_orders(function (array &$records) use ($number): void {
        $records['read']['events'] = $number;
    });
}

// Books what Malipo says about a transaction. May be called any number of times, in any order.
function settle(array $transaction): void
{
    $reference = $transaction['merchant_reference'];
    $status = $transaction['transaction_status'];
    with_orders(function (array &$records) use ($transaction, $reference, $status): void {
        if ($transaction['transaction_type'] === 'PAYOUT') {
            // A payout that was paid stays so: after an older FAILED that comes last, somebody would pay again.
            if (isset($records['payouts'][$reference]) && $records['payouts'][$reference] !== 'COMPLETED') {
                $records['payouts'][$reference] = $status;
            }
            return;
        }
        $order = $records['orders'][$reference] ?? null;
        // An order that is paid stays so: the older callback can come last.
        if ($order === null || $order['state'] === 'paid') {
            return;
        }
        // The amount is compared with our own order: the public key alone can start a collection of any amount under any
        // reference.
        $fits = $transaction['request_amount'] == $order['amount'] && $transaction['request_currency'] === $order['currency'];
        if ($status === 'COMPLETED' && $fits) {
            $records['orders'][$reference] = ['state' => 'paid', 'fulfilments' => $order['fulfilments'] + 1] + $order;
        } elseif ($status === 'FAILED' || $status === 'CANCELLED') {
            $records['orders'][$reference]['state'] = 'failed';
        }
    });
}

// How often each order was fulfilled, and 1 for each payout that is booked as paid.
function fulfilments(): array
{
    return with_orders(function (array &$records): array {
        $paid = array_filter(array_map(fn (array $order) => $order['fulfilments'], $records['orders']));
        return $paid + array_map(fn () => 1, array_filter($records['payouts'], fn (string $status) => $status === 'COMPLETED'));
    });
}
