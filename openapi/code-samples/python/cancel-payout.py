import json
import sys
import urllib.error
import urllib.request

request = urllib.request.Request(
    'http://127.0.0.1:8080/payout/cancel',
    headers={
        'public-key': 'pub_sandbox_demo',
        'secret-key': 'sec_sandbox_demo',
        'x-api-version': '1',
        'Content-Type': 'application/json',
        'Idempotency-Key': 'cancel-PAYOUT-2026-0001',
    },
    data=json.dumps({'merchant_reference': 'PAYOUT-2026-0001'}).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=30) as reply:
        print('cancelled', json.load(reply)['data']['internal_reference'])
except urllib.error.HTTPError as refusal:
    what = 'too late' if refusal.code == 409 else 'refused'
    sys.exit(f"{what}: {json.load(refusal)['message']}")
except OSError as failure:
    sys.exit(f'No reply: {failure}')
