import json
import sys
import time
import urllib.error
import urllib.request

# Your own reference, stored before you ask: when no reply arrives, send the same again, and nobody is paid twice.
payout_reference = f'PAYOUT-{time.time_ns()}'
request = urllib.request.Request(
    'http://127.0.0.1:8080/payout/send-funds',
    headers={
        'public-key': 'pub_sandbox_demo',
        'secret-key': 'sec_sandbox_demo',
        'x-api-version': '1',
        'Content-Type': 'application/json',
        'Idempotency-Key': payout_reference,
    },
    data=json.dumps({
        'transaction_method': 'MOBILE_MONEY',
        'provider_code': 'mtn_ug',
        'merchant_reference': payout_reference,
        'account_number': '256772000123',
        'customer_name': 'Grace Auma',
        'currency': 'UGX',
        'amount': 20000,
        'description': 'Refund of order 17',
    }).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=30) as reply:
        print('accepted, not yet paid:', json.load(reply)['data']['internal_reference'])
except urllib.error.HTTPError as refusal:
    sys.exit(json.load(refusal)['message'])
except OSError as failure:
    sys.exit(f'No reply: {failure}')
