package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	toleranceSeconds = 300
	bodyBytesMax     = 65536
)

var (
	key = readKey()
	// In production a unique index in your database, written together with what you book.
	handled    = map[string]bool{}
	oneAtATime sync.Mutex
)

func readKey() []byte {
	secret := os.Getenv("MALIPO_WEBHOOK_SECRET")
	if secret == "" {
		secret = "whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=="
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || !strings.HasPrefix(secret, "whsec_") {
		log.Fatal("MALIPO_WEBHOOK_SECRET must begin with whsec_")
	}
	return key
}

func isGenuine(headers http.Header, body []byte) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	age := time.Now().Unix() - sentAt
	if err != nil || len(timestamp) != 10 || age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, given := range strings.Fields(headers.Get("webhook-signature")) {
		if hmac.Equal(expected, []byte(given)) {
			return true
		}
	}
	return false
}

func book(body []byte) error {
	var callback struct {
		Payload struct {
			Reference   string      `json:"merchant_reference"`
			Type        string      `json:"transaction_type"`
			Status      string      `json:"transaction_status"`
			TotalCredit json.Number `json:"total_credit"`
			TotalDebit  json.Number `json:"total_debit"`
			Currency    string      `json:"transaction_currency"`
		}
	}
	if err := json.Unmarshal(body, &callback); err != nil {
		return err
	}
	payload := callback.Payload
	// The end of a batch has none: each of its payouts reports itself.
	if payload.Type == "" {
		return nil
	}
	total := payload.TotalDebit
	if payload.Type == "COLLECTION" {
		total = payload.TotalCredit
	}
	fmt.Println(payload.Reference, payload.Status, total, payload.Currency)
	return nil
}

func receive(response http.ResponseWriter, request *http.Request) {
	// The body as it arrived, byte for byte.
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyBytesMax))
	if err != nil || !isGenuine(request.Header, body) {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	oneAtATime.Lock()
	defer oneAtATime.Unlock()
	id := request.Header.Get("webhook-id")
	if !handled[id] {
		if err := book(body); err != nil {
			// Malipo sends it again.
			log.Print(err)
			response.WriteHeader(http.StatusInternalServerError)
			return
		}
		// Only now: what could not be booked must come again.
		handled[id] = true
	}
	response.WriteHeader(http.StatusNoContent)
}

func main() {
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", http.HandlerFunc(receive)))
}
