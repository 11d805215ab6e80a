package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"time"
)

func main() {
	log.SetFlags(0)
	// Your own reference, stored before you ask: when no reply arrives, send the same again, and nobody pays twice.
	orderReference := fmt.Sprintf("ORDER-%d", time.Now().UnixNano())
	body, err := json.Marshal(map[string]any{
		"transaction_method": "MOBILE_MONEY",
		"provider_code":      "mtn_ug",
		"merchant_reference": orderReference,
		"msisdn":             "256772000123",
		"currency":           "UGX",
		"amount":             5000,
		"description":        "Order 2026-0001",
	})
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest("POST", "http://127.0.0.1:8080/collections/initialize", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("public-key", "pub_sandbox_demo")
	request.Header.Set("x-api-version", "1")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", orderReference)
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var reply struct {
		Message string
		Data    struct {
			InternalReference string `json:"internal_reference"`
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusAccepted {
		log.Fatal(reply.Message)
	}
	fmt.Println("accepted, not yet paid:", reply.Data.InternalReference)
}
