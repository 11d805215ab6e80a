# Lists the providers and starts a collection with the client that openapi-python-client generated.
import sys

from malipo_client.api.collections import initialize_collection
from malipo_client.api.reference_data import list_payment_providers
from malipo_client.client import AuthenticatedClient
from malipo_client.models import (
    CollectionAccepted,
    InitializeCollectionXApiVersion,
    ListPaymentProvidersTransactionType,
    ListPaymentProvidersXApiVersion,
    MobileMoneyCollection,
    MobileMoneyCollectionTransactionMethod,
    PaymentProvidersReply,
)

client = AuthenticatedClient(base_url=sys.argv[1], token="pub_sandbox_demo", prefix="", auth_header_name="public-key")
providers = list_payment_providers.sync(
    client=client,
    currency="UGX",
    transaction_type=ListPaymentProvidersTransactionType.COLLECTION,
    x_api_version=ListPaymentProvidersXApiVersion("1"),
)
assert isinstance(providers, PaymentProvidersReply), providers
accepted = initialize_collection.sync(
    client=client,
    x_api_version=InitializeCollectionXApiVersion("1"),
    body=MobileMoneyCollection(
        transaction_method=MobileMoneyCollectionTransactionMethod.MOBILE_MONEY,
        provider_code=next(each.provider_code for each in providers.data.payment_providers if each.provider_code == "mtn_ug"),
        merchant_reference="auto",
        msisdn="256772000123",
        currency="UGX",
        amount=5000,
        description="Two coffees please",
    ),
)
assert isinstance(accepted, CollectionAccepted), accepted
print("accepted", accepted.data.merchant_reference)
