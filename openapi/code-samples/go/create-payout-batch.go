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
	// Your own references, stored before you ask: sent again, the same batch pays nobody twice.
	batchReference := fmt.Sprintf("SALARIES-%d", time.Now().UnixNano())
	body, err := json.Marshal(map[string]any{
		"batch_reference": batchReference,
		"payouts": []map[string]any{{
			"transaction_method": "MOBILE_MONEY",
			"provider_code":      "mtn_ug",
			"merchant_reference": batchReference + "-1",
			"account_number":     "256772000123",
			"customer_name":      "Grace Auma",
			"currency":           "UGX",
			"amount":             20000,
			"description":        "Salary of March",
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest("POST", "http://127.0.0.1:8080/payout/batches", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("public-key", "pub_sandbox_demo")
	request.Header.Set("secret-key", "sec_sandbox_demo")
	request.Header.Set("x-api-version", "1")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", batchReference)
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var reply struct {
		Message string
		Data    struct {
			BatchReference string `json:"batch_reference"`
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusAccepted {
		log.Fatal(reply.Message)
	}
	fmt.Println("accepted, not yet paid:", reply.Data.BatchReference)
}
