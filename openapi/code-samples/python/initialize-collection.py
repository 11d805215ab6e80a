import json
import urllib.request

# Use one key per order: when no reply arrives, send the same again, and nobody pays twice.
request = urllib.request.Request(
    'http://127.0.0.1:8080/collections/initialize',
    headers={
        'public-key': 'pub_sandbox_demo',
        'x-api-version': '1',
        'Content-Type': 'application/json',
        'Idempotency-Key': 'order-2026-0001',
    },
    data=json.dumps({
        'transaction_method': 'MOBILE_MONEY',
        'provider_code': 'mtn_ug',
        'merchant_reference': 'ORDER-2026-0001',
        'msisdn': '256772000123',
        'currency': 'UGX',
        'amount': 5000,
        'description': 'Order 2026-0001',
    }).encode(),
)
with urllib.request.urlopen(request, timeout=30) as reply:
    print('accepted, not yet paid:', json.load(reply)['data']['internal_reference'])
