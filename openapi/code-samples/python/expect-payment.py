import json
import sys
import time
import urllib.error
import urllib.request

# Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is expected twice.
order_reference = f'ORDER-{time.time_ns()}'
request = urllib.request.Request(
    'http://127.0.0.1:8080/collections/expect',
    headers={
        'public-key': 'pub_sandbox_demo',
        'secret-key': 'sec_sandbox_demo',
        'x-api-version': '1',
        'Content-Type': 'application/json',
        'Idempotency-Key': order_reference,
    },
    data=json.dumps({
        'merchant_reference': order_reference,
        'amount': 5000,
        'provider_code': 'mtn_ug',
        'customer_reference': 'auto',
        'currency': 'UGX',
        'description': 'Invoice 2026-1',
    }).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=30) as reply:
        print('to be typed by the customer:', json.load(reply)['data']['customer_reference'])
except urllib.error.HTTPError as refusal:
    sys.exit(json.load(refusal)['message'])
except OSError as failure:
    sys.exit(f'No reply: {failure}')
