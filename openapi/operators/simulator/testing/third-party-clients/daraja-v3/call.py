"""One call of the client daraja-v3: the arguments are JSON; prints what it returned, or the code of its error."""

import dataclasses
import json
import sys

from mpesa import MpesaClient, MpesaError

settings, name, arguments = sys.argv[1:]
try:
    found = getattr(MpesaClient(**json.loads(settings)), name)(**json.loads(arguments))
    print(json.dumps(dataclasses.asdict(found) if dataclasses.is_dataclass(found) else found))
except MpesaError as error:
    print(json.dumps({"error": error.code}))
