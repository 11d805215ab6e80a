package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"time"
)

func main() {
	log.SetFlags(0)
	request, err := http.NewRequest("GET", "http://127.0.0.1:8080/data/payment-providers?currency=UGX&transaction_type=COLLECTION", nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("public-key", "pub_sandbox_demo")
	request.Header.Set("x-api-version", "1")
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var reply struct {
		Message string
		Data    struct {
			PaymentProviders []struct {
				ProviderCode string      `json:"provider_code"`
				MinAmount    json.Number `json:"min_amount"`
				MaxAmount    json.Number `json:"max_amount"`
			} `json:"payment_providers"`
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		log.Fatal(reply.Message)
	}
	for _, provider := range reply.Data.PaymentProviders {
		fmt.Println(provider.ProviderCode, provider.MinAmount, provider.MaxAmount)
	}
}
