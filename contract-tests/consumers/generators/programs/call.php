<?php
// Lists the providers and starts a collection with the client that openapi-generator generated.
require __DIR__ . '/load.php';

$config = (new OpenAPI\Client\Configuration())->setHost($argv[1])->setApiKey('public-key', 'pub_sandbox_demo');
$http = new GuzzleHttp\Client();
$providers = (new OpenAPI\Client\Api\ReferenceDataApi($http, $config))->listPaymentProviders('1', 'UGX', 'COLLECTION');
$mtn = current(array_filter($providers->getData()->getPaymentProviders(), fn ($each) => $each->getProviderCode() === 'mtn_ug'));
$request = new OpenAPI\Client\Model\MobileMoneyCollectionRequest([
    'transaction_method' => 'MOBILE_MONEY',
    'provider_code' => $mtn->getProviderCode(),
    'merchant_reference' => 'auto',
    'msisdn' => '256772000123',
    'currency' => 'UGX',
    'amount' => 5000,
    'description' => 'Two coffees please',
]);
$accepted = (new OpenAPI\Client\Api\CollectionsApi($http, $config))->initializeCollection('1', $request);
echo 'accepted ', $accepted->getData()->getMerchantReference(), "\n";
