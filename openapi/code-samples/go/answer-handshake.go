package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
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

func isGenuine(headers http.Header) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	age := time.Now().Unix() - sentAt
	if err != nil || len(timestamp) != 10 || age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	// A handshake has no body: nothing follows the second full stop.
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, timestamp)
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
	// The signature does not cover the reference: only your own records can say yes.
	if !isGenuine(request.Header) || !sentPayouts[reference] {
		fmt.Println(reference, "no")
		response.WriteHeader(http.StatusNotFound)
		return
	}
	fmt.Println(reference, "yes")
}

func main() {
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", http.HandlerFunc(answer)))
}
