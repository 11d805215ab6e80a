import json
import sys
import urllib.error
import urllib.request

request = urllib.request.Request(
    'http://127.0.0.1:8080/data/predict-provider?msisdn=256772000123',
    headers={'public-key': 'pub_sandbox_demo', 'x-api-version': '1'},
)
try:
    with urllib.request.urlopen(request, timeout=30) as reply:
        data = json.load(reply)['data']
except urllib.error.HTTPError as refusal:
    sys.exit(json.load(refusal)['message'])
except OSError as failure:
    sys.exit(f'No reply: {failure}')
print(data.get('provider_code', '(none)'), data['source'])
