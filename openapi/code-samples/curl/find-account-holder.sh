curl --get --fail-with-body \
  http://127.0.0.1:8080/data/account-holder \
  -d provider_code=mtn_ug \
  -d msisdn=256772000123 \
  -H 'public-key: pub_sandbox_demo' \
  -H 'secret-key: sec_sandbox_demo' \
  -H 'x-api-version: 1'
