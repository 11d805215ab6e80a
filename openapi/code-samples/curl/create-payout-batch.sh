# Your own references, stored before you ask: sent again, the same batch pays nobody twice.
batch="SALARIES-$(date +%s)"
curl --fail-with-body \
  http://127.0.0.1:8080/payout/batches \
  -H 'public-key: pub_sandbox_demo' \
  -H 'secret-key: sec_sandbox_demo' \
  -H 'x-api-version: 1' \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: $batch" \
  -d @- <<JSON
{
  "batch_reference": "$batch",
  "payouts": [
    {
      "transaction_method": "MOBILE_MONEY",
      "provider_code": "mtn_ug",
      "merchant_reference": "$batch-1",
      "account_number": "256772000123",
      "customer_name": "Grace Auma",
      "currency": "UGX",
      "amount": 20000,
      "description": "Salary of March"
    }
  ]
}
JSON
