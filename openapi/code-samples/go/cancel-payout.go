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
	body, err := json.Marshal(map[string]any{
		"merchant_reference": "PAYOUT-2026-0001",
	})
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest("POST", "http://127.0.0.1:8080/payout/cancel", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("public-key", "pub_sandbox_demo")
	request.Header.Set("secret-key", "sec_sandbox_demo")
	request.Header.Set("x-api-version", "1")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", "cancel-PAYOUT-2026-0001")
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
	switch response.StatusCode {
	case http.StatusAccepted:
	case http.StatusConflict:
		log.Fatal("too late: ", reply.Message)
	default:
		log.Fatal("refused: ", reply.Message)
	}
	fmt.Println("cancelled", reply.Data.InternalReference)
}
