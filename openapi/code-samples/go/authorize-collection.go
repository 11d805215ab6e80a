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
	// The internal reference is in the reply to your collection. In the sandbox, numbers that end in 005 ask for the password 123456.
	body, err := json.Marshal(map[string]any{
		"internal_reference": "MLPSVQSA9PFZYCMK46KMQQBKS",
		"otp":                123456,
	})
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest("POST", "http://127.0.0.1:8080/collections/authorize", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("public-key", "pub_sandbox_demo")
	request.Header.Set("x-api-version", "1")
	request.Header.Set("Content-Type", "application/json")
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
	case http.StatusBadRequest:
		log.Fatal("ask the customer again: ", reply.Message)
	default:
		log.Fatal("refused: ", reply.Message)
	}
	fmt.Println("authorized", reply.Data.InternalReference)
}
