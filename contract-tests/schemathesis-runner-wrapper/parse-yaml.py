"""YAML on standard input becomes JSON, read as Schemathesis reads it: `on`, dates and status codes stay text."""

import json
import sys

from schemathesis.core.deserialization import deserialize_yaml

try:
    json.dump(deserialize_yaml(sys.stdin.buffer.read()), sys.stdout)
except Exception as fault:  # YAML has many kinds of them; each says where it is.
    sys.exit(" ".join(str(fault).split()))
