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
	// Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is refunded twice.
	refundReference := fmt.Sprintf("REFUND-%d", time.Now().UnixNano())
	body, err := json.Marshal(map[string]any{
		"merchant_reference":   refundReference,
		"amount":               2000,
		"collection_reference": "ORDER-2026-0001",
		"reason":               "One of two items returned",
	})
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest("POST", "http://127.0.0.1:8080/collections/refund", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("public-key", "pub_sandbox_demo")
	request.Header.Set("secret-key", "sec_sandbox_demo")
	request.Header.Set("x-api-version", "1")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", refundReference)
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
	fmt.Println("accepted, not yet refunded:", reply.Data.InternalReference)
}
