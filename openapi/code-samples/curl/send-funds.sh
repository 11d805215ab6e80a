# Your own reference, stored before you ask: when no reply arrives, send the same again, and nobody is paid twice.
payout="PAYOUT-$(date +%s)"
curl --fail-with-body \
  http://127.0.0.1:8080/payout/send-funds \
  -H 'public-key: pub_sandbox_demo' \
  -H 'secret-key: sec_sandbox_demo' \
  -H 'x-api-version: 1' \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: $payout" \
  -d @- <<JSON
{
  "transaction_method": "MOBILE_MONEY",
  "provider_code": "mtn_ug",
  "merchant_reference": "$payout",
  "account_number": "256772000123",
  "customer_name": "Grace Auma",
  "currency": "UGX",
  "amount": 20000,
  "description": "Refund of order 17"
}
JSON
