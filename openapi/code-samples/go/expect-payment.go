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
	// Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is expected twice.
	orderReference := fmt.Sprintf("ORDER-%d", time.Now().UnixNano())
	body, err := json.Marshal(map[string]any{
		"merchant_reference":   orderReference,
		"amount":               5000,
		"provider_code":        "mtn_ug",
		"customer_reference":   "auto",
		"currency":             "UGX",
		"description":          "Invoice 2026-1",
	})
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest("POST", "http://127.0.0.1:8080/collections/expect", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("public-key", "pub_sandbox_demo")
	request.Header.Set("secret-key", "sec_sandbox_demo")
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
			CustomerReference string `json:"customer_reference"`
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusAccepted {
		log.Fatal(reply.Message)
	}
	fmt.Println("to be typed by the customer:", reply.Data.CustomerReference)
}
