curl --get --fail-with-body \
  http://127.0.0.1:8080/data/predict-provider \
  -d msisdn=256772000123 \
  -H 'public-key: pub_sandbox_demo' \
  -H 'x-api-version: 1'
