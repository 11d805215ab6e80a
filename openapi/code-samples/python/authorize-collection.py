import json
import sys
import urllib.error
import urllib.request

# The internal reference is in the reply to your collection. In the sandbox, numbers that end in 005 ask for the password 123456.
request = urllib.request.Request(
    'http://127.0.0.1:8080/collections/authorize',
    headers={'public-key': 'pub_sandbox_demo', 'x-api-version': '1', 'Content-Type': 'application/json'},
    data=json.dumps({'internal_reference': 'MLPSVQSA9PFZYCMK46KMQQBKS', 'otp': 123456}).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=30) as reply:
        print('authorized', json.load(reply)['data']['internal_reference'])
except urllib.error.HTTPError as refusal:
    what = 'ask the customer again' if refusal.code == 400 else 'refused'
    sys.exit(f"{what}: {json.load(refusal)['message']}")
except OSError as failure:
    sys.exit(f'No reply: {failure}')
