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
	request, err := http.NewRequest("GET", "http://127.0.0.1:8080/data/predict-provider?msisdn=256772000123", nil)
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
			ProviderCode string `json:"provider_code"`
			Source       string `json:"source"`
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		log.Fatal(reply.Message)
	}
	fmt.Println(reply.Data.ProviderCode, reply.Data.Source)
}
