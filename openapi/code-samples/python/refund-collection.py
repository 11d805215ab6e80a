import json
import sys
import time
import urllib.error
import urllib.request

# Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is refunded twice.
refund_reference = f'REFUND-{time.time_ns()}'
request = urllib.request.Request(
    'http://127.0.0.1:8080/collections/refund',
    headers={
        'public-key': 'pub_sandbox_demo',
        'secret-key': 'sec_sandbox_demo',
        'x-api-version': '1',
        'Content-Type': 'application/json',
        'Idempotency-Key': refund_reference,
    },
    data=json.dumps({
        'merchant_reference': refund_reference,
        'amount': 2000,
        'collection_reference': 'ORDER-2026-0001',
        'reason': 'One of two items returned',
    }).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=30) as reply:
        print('accepted, not yet refunded:', json.load(reply)['data']['internal_reference'])
except urllib.error.HTTPError as refusal:
    sys.exit(json.load(refusal)['message'])
except OSError as failure:
    sys.exit(f'No reply: {failure}')
