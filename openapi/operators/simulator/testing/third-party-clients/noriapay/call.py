"""One call of the client noriapay: the payload is JSON; prints what it returned, or the code of its error."""

import json
import sys

from noriapay.exceptions import NoriapayError
from noriapay.mpesa import MpesaClient

settings, name, payload = sys.argv[1:]
try:
    print(json.dumps(getattr(MpesaClient(**json.loads(settings)), name)(json.loads(payload))))
except NoriapayError as error:
    print(json.dumps({"error": str(error), **vars(error)}, default=str))
