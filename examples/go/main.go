// A webhook for Event Grid, with the standard library only.
package main

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

const eventGrid, role = "4962773b-9cdb-44cf-a8bf-237846a00ab7", "AzureEventGridSecureWebhookSubscriber"

var (
	tenant, client, authority = os.Getenv("ORDERS_TENANT_ID"), os.Getenv("ORDERS_CLIENT_ID"), os.Getenv("ORDERS_AUTHORITY_HOST")
	issuers                   = map[string]*issuer{}
	handled                   = map[string]bool{} // better: a unique key in your database, written with the work
	handling                  sync.Mutex
)

// An error makes Event Grid deliver the event again.
func handle(event map[string]any) error {
	fmt.Println(event["type"], event["id"], event["data"])
	return nil
}

type issuer struct {
	url     string
	mu      sync.Mutex
	keys    map[string]*rsa.PublicKey
	fetched time.Time
}

// key returns nil for a key that Entra does not publish, or not yet.
func (i *issuer) key(kid string) *rsa.PublicKey {
	i.mu.Lock()
	defer i.mu.Unlock()
	if age := time.Since(i.fetched); age < 10*time.Second || i.keys[kid] != nil && age < time.Hour { // anybody can invent a key
		return i.keys[kid]
	}
	i.fetched = time.Now()
	response, err := (&http.Client{Timeout: 10 * time.Second}).Get(i.url)
	if err != nil {
		return i.keys[kid]
	}
	defer response.Body.Close()
	var document struct{ Keys []struct{ Kid, N, E string } }
	if json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(&document) == nil {
		i.keys = map[string]*rsa.PublicKey{}
	}
	for _, k := range document.Keys {
		n, _ := base64.RawURLEncoding.DecodeString(k.N)
		e, _ := base64.RawURLEncoding.DecodeString(k.E)
		i.keys[k.Kid] = &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(new(big.Int).SetBytes(e).Int64())}
	}
	return i.keys[kid]
}

// refusal returns 0 for a token of Event Grid. 401 and 403 lose the event: they are for other callers.
func refusal(token string) int {
	parts := strings.Split(token, ".")
	var header struct{ Alg, Kid string }
	var c struct {
		Iss, Aud, Tid, Appid, Azp string
		Exp, Nbf                  int64
		Roles                     []string
	}
	isToken := len(parts) == 3 && decode(parts[0], &header) && decode(parts[1], &c)
	trusted := issuers[c.Iss]
	if !isToken || trusted == nil || header.Alg != "RS256" || c.Aud != client || c.Tid != tenant {
		return http.StatusUnauthorized
	}
	key := trusted.key(header.Kid)
	if key == nil {
		return http.StatusServiceUnavailable
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	isNow := time.Since(time.Unix(c.Exp, 0)) < 5*time.Minute && time.Until(time.Unix(c.Nbf, 0)) < 5*time.Minute
	if !isNow || rsa.VerifyPKCS1v15(key, crypto.SHA256, digest[:], signature) != nil {
		return http.StatusUnauthorized
	}
	if c.Appid+c.Azp != eventGrid { // a token has one of the two
		return http.StatusForbidden
	}
	for _, held := range c.Roles {
		if held == role {
			return 0
		}
	}
	return http.StatusServiceUnavailable // the role may be newer than the token
}

func decode(part string, into any) bool {
	text, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && json.Unmarshal(text, into) == nil
}

func receive(body []byte) int {
	events := make([]map[string]any, 1)
	if json.Unmarshal(body, &events) != nil && json.Unmarshal(body, &events[0]) != nil {
		return http.StatusBadRequest // no later attempt can succeed
	}
	handling.Lock()
	defer handling.Unlock()
	for _, event := range events {
		key := fmt.Sprint(event["source"], " ", event["id"])
		if event["source"] == nil || event["id"] == nil {
			return http.StatusBadRequest
		}
		if !handled[key] && handle(event) != nil {
			return http.StatusServiceUnavailable
		}
		if handled[key] = true; len(handled) > 10_000 {
			handled = map[string]bool{}
		}
	}
	return http.StatusOK
}

func webhook(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodOptions { // the handshake has no token
		w.Header().Set("WebHook-Allowed-Origin", "eventgrid.azure.net")
		w.Header().Set("WebHook-Allowed-Rate", "*")
	} else if status := refusal(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")); status != 0 {
		w.WriteHeader(status)
	} else if body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 2<<20)); err == nil {
		w.WriteHeader(receive(body))
	}
}

func main() {
	for _, name := range []string{"ORDERS_TENANT_ID", "ORDERS_CLIENT_ID", "ORDERS_HANDSHAKE_PORT"} {
		if os.Getenv(name) == "" { // 401 would lose every event
			log.Fatal(name + " is not set")
		}
	}
	if authority == "" {
		authority = "https://login.microsoftonline.com"
	}
	base := authority + "/" + tenant
	v1 := &issuer{url: base + "/discovery/keys"}
	issuers["https://sts.windows.net/"+tenant+"/"] = v1
	issuers[base+"/"] = v1 // of a local Azure
	issuers[base+"/v2.0"] = &issuer{url: base + "/discovery/v2.0/keys"}
	log.Fatal(http.ListenAndServe(":"+os.Getenv("ORDERS_HANDSHAKE_PORT"), http.HandlerFunc(webhook)))
}
