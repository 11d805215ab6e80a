import json
import urllib.request

# Use one key per payout: when no reply arrives, send the same again, and nobody is paid twice.
request = urllib.request.Request(
    'http://127.0.0.1:8080/payout/send-funds',
    headers={
        'public-key': 'pub_sandbox_demo',
        'secret-key': 'sec_sandbox_demo',
        'x-api-version': '1',
        'Content-Type': 'application/json',
        'Idempotency-Key': 'payout-2026-0001',
    },
    data=json.dumps({
        'transaction_method': 'MOBILE_MONEY',
        'provider_code': 'mtn_ug',
        'merchant_reference': 'PAYOUT-2026-0001',
        'account_number': '256772000123',
        'customer_name': 'Grace Auma',
        'currency': 'UGX',
        'amount': 20000,
        'description': 'Refund of order 17',
    }).encode(),
)
with urllib.request.urlopen(request, timeout=30) as reply:
    print('accepted, not yet paid:', json.load(reply)['data']['internal_reference'])
