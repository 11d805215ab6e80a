// Lists the providers and starts a collection with the client that openapi-generator generated.
use malipo::apis::{collections_api, configuration, reference_data_api};
use malipo::models::{mobile_money_collection_request::TransactionMethod, CollectionRequest, MobileMoneyCollectionRequest};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut configuration = configuration::Configuration::new();
    configuration.base_path = std::env::args().nth(1).ok_or("no address given")?;
    configuration.api_key = Some(configuration::ApiKey { prefix: None, key: "pub_sandbox_demo".into() });
    let providers = reference_data_api::list_payment_providers(&configuration, "1", "UGX", "COLLECTION", None, None)?;
    let mtn = providers.data.payment_providers.iter().find(|each| each.provider_code == "mtn_ug").ok_or("mtn_ug is not listed")?;
    let request = MobileMoneyCollectionRequest::new(
        TransactionMethod::MobileMoney,
        mtn.provider_code.clone(),
        "auto".into(),
        "256772000123".into(),
        "UGX".into(),
        5000.0,
        "Two coffees please".into(),
    );
    let accepted = collections_api::initialize_collection(&configuration, "1", CollectionRequest::MobileMoneyCollectionRequest(Box::new(request)), None, None, None)?;
    println!("accepted {}", accepted.data.merchant_reference);
    Ok(())
}
