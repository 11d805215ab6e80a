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
	"time"
)

const toleranceSeconds = 300

var (
	key = readKey()
	// Your own records: write a reference here before you send its payout.
	sentPayouts = map[string]bool{"PAYOUT-2026-0001": true}
	// Batches with the number of their payouts, where one handshake per batch is switched on.
	sentBatches = map[string]int{"SALARIES-2026-03": 2}
)

func readKey() []byte {
	secret := os.Getenv("MALIPO_WEBHOOK_SECRET")
	if secret == "" {
		secret = "whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=="
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || !strings.HasPrefix(secret, "whsec_") {
		// Not answered with 404, which would reject your payouts for good.
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
	// The handshake of a single payout has no body: nothing follows the second full stop.
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

func answer(response http.ResponseWriter, request *http.Request) {
	reference := request.URL.Query().Get("reference")
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 65536))
	isOurs := err == nil && isGenuine(request.Header, body)
	if request.Method == http.MethodPost {
		var asked struct {
			Payload struct {
				BatchReference string `json:"batch_reference"`
				Payouts        int    `json:"payouts"`
			} `json:"payload"`
		}
		isOurs = isOurs && json.Unmarshal(body, &asked) == nil &&
			asked.Payload.Payouts > 0 && sentBatches[asked.Payload.BatchReference] == asked.Payload.Payouts
		reference = asked.Payload.BatchReference
	} else {
		// The signature does not cover the reference: only your own records can say yes.
		isOurs = isOurs && sentPayouts[reference]
	}
	if !isOurs {
		fmt.Println(reference, "no")
		response.WriteHeader(http.StatusNotFound)
		return
	}
	fmt.Println(reference, "yes")
}

func main() {
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", http.HandlerFunc(answer)))
}
