<?php
// The whole shop: checkout, callbacks, handshake, and the page that customers come back to.

require __DIR__ . '/settings.php';
require __DIR__ . '/signatures.php';
require __DIR__ . '/orders.php';
require __DIR__ . '/malipo.php';

// What is sold. The price is here, and never in the form that customers send.
const NAME = 'Bugisu coffee, 250 g';
const AMOUNT = 20_000;
const CURRENCY = 'UGX';
// A callback has less than 10 kB.
const BODY_BYTES_MAX = 64 * 1024;

// Whatever fails below answers 500, and Malipo sends it again.
set_exception_handler(function (Throwable $fault): void {
    error_log((string) $fault);
    http_response_code(500);
});

function text(string $outside): string
{
    return htmlspecialchars($outside, ENT_QUOTES | ENT_SUBSTITUTE);
}

/** `$body` is markup: whatever comes from outside is escaped before. */
function page(string $title, string $body = '', int $status = 200): void
{
    http_response_code($status);
    header('Content-Type: text/html; charset=utf-8');
    header("Content-Security-Policy: default-src 'none'; form-action *");
    $title = text($title);
    echo "<!doctype html><html lang=\"en\"><meta name=\"viewport\" content=\"width=device-width\"><title>$title</title>";
    echo "<h1>$title</h1>$body<p><a href=\"/\">Back to the shop</a>";
}

// Receives callbacks. Any 2xx acknowledges; a message that does not verify gets 400 and has no effect.
function callbacks(): void
{
    if (trim(explode(';', $_SERVER['CONTENT_TYPE'] ?? '')[0]) !== 'application/json') {
        http_response_code(415);
        return;
    }
    $body = (string) file_get_contents('php://input', length: BODY_BYTES_MAX + 1);
    if (strlen($body) > BODY_BYTES_MAX) {
        http_response_code(413);
        return;
    }
    if (!is_genuine($body)) {
        http_response_code(400);
        return;
    }
    book($body);
    http_response_code(204);
}

function book(string $body): void
{
    $message = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    // What is newer than this shop is acknowledged, and is not paid.
    if (in_array($message['event'], ['transaction.completed', 'transaction.failed'], true)) {
        settle($message['payload']);
    }
}

// Books what callbacks told while the shop was away. A timer runs it in earnest.
function catch_up(): void
{
    while ($events = ask_malipo('/data/events?limit=100&after=' . last_event())['events']) {
        foreach ($events as $event) {
            book($event['body']);
            remember_event($event['number']);
        }
    }
}

// Malipo asks before money leaves the wallet: 200 only for a payout that is in our own records.
function handshake(): void
{
    $isGenuine = is_genuine('') && preg_match('/^[A-Za-z0-9._~-]{8,36}$/D', parameter('reference')) === 1;
    http_response_code(!$isGenuine ? 400 : (knows_payout(parameter('reference')) ? 200 : 404));
}

// One handshake for a whole batch: the signature covers its reference and the number of its payouts.
function batch_handshake(): void
{
    $body = (string) file_get_contents('php://input', length: BODY_BYTES_MAX);
    if (!is_genuine($body)) {
        http_response_code(400);
        return;
    }
    $batch = json_decode($body, true, flags: JSON_THROW_ON_ERROR)['payload'];
    http_response_code(knows_batch($batch['batch_reference'], $batch['payouts']) ? 200 : 404);
}

// Where customers come back to. It shows what our own records say, never what the address says.
function paid(): void
{
    $reference = parameter('merchant_reference');
    $order = is_genuine_redirect() ? find_order($reference) : null;
    if ($order !== null && $order['state'] === 'waiting') {
        try {
            settle(ask_malipo('/data/transaction/verify/' . rawurlencode($reference)));
            $order = find_order($reference);
        } catch (Refused) {
            // Not known yet: the callback will report it.
        }
    }
    $named = text($reference);
    match ($order['state'] ?? null) {
        'paid' => page('Thank you, your coffee is on its way', "<p>Order $named is paid."),
        'failed' => page('The payment did not go through', "<p>Order $named: nothing was taken."),
        'waiting' => page('One moment, please', '<p>We are waiting.<meta http-equiv="refresh" content="3">'),
        default => page('There is no such order', status: 404),
    };
}

function order_page(string $fault = '', int $status = 200): void
{
    try {
        $data = ask_malipo('/data/payment-providers?transaction_type=COLLECTION&currency=' . CURRENCY);
        $providers = array_filter($data['payment_providers'], fn ($one) => $one['transaction_method'] === 'MOBILE_MONEY' && $one['is_active']);
    } catch (Refused) {
        $providers = [];
    }
    $options = implode('', array_map(
        fn ($one) => '<option value="' . text($one['provider_code']) . '">' . text($one['provider_name']) . '</option>',
        $providers,
    ));
    $price = CURRENCY . ' ' . number_format(AMOUNT);
    $alert = $fault === '' ? '' : '<p role="alert">' . text($fault) . '</p>';
    page(NAME, "<p>$price</p>$alert<form method=\"post\" action=\"/checkout\">
      <label>Pay with <select name=\"provider\" required>$options</select></label>
      <label>Phone number <input name=\"phone\" type=\"tel\" required maxlength=\"20\" placeholder=\"256772000123\"></label>
      <button>Pay $price</button></form>", $status);
}

// Makes an order and a collection for it. The customer approves on Malipo's payment page.
function start_payment(string $reference, int|float $amount, string $currency, string $provider, string $phone): array
{
    // Written down first: a callback may be faster than the answer.
    add_order($reference, $amount, $currency);
    // One order is one collection, however often it is sent.
    return ask_malipo('/collections/initialize', [
        'transaction_method' => 'MOBILE_MONEY',
        'provider_code' => $provider,
        'msisdn' => preg_replace('/[\s()-]/', '', $phone),
        'merchant_reference' => $reference,
        'currency' => $currency,
        'amount' => $amount,
        'description' => 'Bugisu coffee 250 g',
        'mobile_money_hpp' => true,
        'redirect_url' => shop_url() . '/paid',
    ], $reference);
}

function checkout(): void
{
    $reference = 'SHOP-' . bin2hex(random_bytes(10));
    $field = fn (string $name) => is_string($_POST[$name] ?? null) ? $_POST[$name] : '';
    try {
        $collection = start_payment($reference, AMOUNT, CURRENCY, $field('provider'), $field('phone'));
    } catch (Refused $refused) {
        $later = 'Paying is not possible at the moment. Please try again in a minute.';
        order_page($refused->getCode() === 400 ? $refused->getMessage() : $later, 422);
        return;
    }
    header("Location: {$collection['payment_url']}", true, 303);
}

// For `malipo-dev check` and `certify`: an order to expect or to start, or the events to read.
function announce(): void
{
    $order = json_decode((string) file_get_contents('php://input'), true, flags: JSON_THROW_ON_ERROR);
    $action = $order['action'] ?? 'expect';
    if ($action === 'catch_up') {
        catch_up();
    } elseif ($action === 'start') {
        try {
            start_payment($order['merchant_reference'], $order['amount'], $order['currency'], 'mtn_ug', '256772000123');
        } catch (Refused) {
            // The order waits: its callback may come all the same.
        }
    } elseif ($order['transaction_type'] === 'PAYOUT') {
        add_payout($order['merchant_reference']);
    } elseif ($order['transaction_type'] === 'BATCH') {
        add_batch($order['merchant_reference'], $order['payouts']);
    } else {
        add_order($order['merchant_reference'], $order['amount'], $order['currency']);
    }
    http_response_code(204);
}

function effects(): void
{
    header('Content-Type: application/json');
    echo json_encode((object) fulfilments(), JSON_THROW_ON_ERROR);
}

$routes = [
    '/' => ['GET' => order_page(...)],
    '/checkout' => ['POST' => checkout(...)],
    '/callbacks' => ['POST' => callbacks(...)],
    '/handshake' => ['GET' => handshake(...), 'POST' => batch_handshake(...)],
    '/paid' => ['GET' => paid(...)],
    // In development only: it lets anybody make orders.
    ...(is_development() ? ['/dev/effects' => ['GET' => effects(...), 'POST' => announce(...)]] : []),
];
$route = $routes[parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)] ?? [];
$handler = $route[$_SERVER['REQUEST_METHOD']] ?? null;
$handler === null ? http_response_code($route === [] ? 404 : 405) : $handler();
