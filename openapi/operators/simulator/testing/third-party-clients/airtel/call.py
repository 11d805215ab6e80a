"""One call of a client of Airtel's: client, settings, call, arguments; prints what it returned, or its error."""

import dataclasses
import json
import operator
import sys

from airtelmoney import AirtelAPIError, AirtelMoney
from momo_api import MomoException
from momo_api.airtel import AirtelApi, AirtelConfig
import pyairtel


def momo_client(base_url, product, **config):
    return getattr(AirtelApi(base_url), f"get_{product}")(AirtelConfig(**config))


def pyairtel_client(base_url, **settings):
    client = pyairtel.AirtelMoney(**settings)
    for part in (client._token_manager, client._collection, client._disbursement):
        part._base_url = base_url
    return client


CLIENTS = {"airtelmoney-py": AirtelMoney, "mtn-momo-client": momo_client, "pyairtel": pyairtel_client}

name, settings, call, arguments = sys.argv[1:]
client = CLIENTS[name](**json.loads(settings))
try:
    result = operator.attrgetter(call)(client)(**json.loads(arguments))
    print(json.dumps(dataclasses.asdict(result) if dataclasses.is_dataclass(result) else result))
except (AirtelAPIError, MomoException, pyairtel.AirtelError) as error:
    print(json.dumps({"error": str(error)}))
