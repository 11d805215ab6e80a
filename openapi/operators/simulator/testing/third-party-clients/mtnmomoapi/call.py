"""One call of the client mtnmomoapi, whose settings are its environment variables; prints what it returned."""

import json
import sys

from mtnmomoapi.collection import Collection

name, *arguments = sys.argv[1:]
print(json.dumps(getattr(Collection(), name)(*arguments)))
