// Package main fails to place an order, in a handler of net/http or with a panic.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"github.com/getsentry/sentry-go"
	sentryhttp "github.com/getsentry/sentry-go/http"
)

// What the runner passes: who the two users are and what else must not be stored.
var canaries struct {
	Users                                                         []string
	Email, Name, IP, Cookie, Header, Authorization, Query, Body string
}

// PaymentError says that a card was declined.
type PaymentError struct{ cause error }

func (e *PaymentError) Error() string { return "the card was declined" }
func (e *PaymentError) Unwrap() error { return e.cause }

func charge() error { return errors.New("amount is not a number") }

func placeOrder() { panic(&PaymentError{charge()}) }

func main() {
	check(json.Unmarshal([]byte(os.Getenv("CANARIES")), &canaries))
	check(sentry.Init(sentry.ClientOptions{
		Dsn:            os.Getenv("SENTRY_DSN"),
		Release:        "shop@1.4.2",
		Environment:    os.Getenv("PROGRAM"),
		ServerName:     "web-1",
		SendDefaultPII: true,
	}))
	if os.Args[1] == "http" {
		serveAndRequest()
	} else {
		for _, user := range canaries.Users {
			recoverFrom(user)
		}
	}
	if sentry.Flush(10 * time.Second) {
		fmt.Println("flushed")
	}
}

func recoverFrom(user string) {
	hub := sentry.CurrentHub().Clone()
	signIn(hub.Scope(), user)
	defer func() { hub.Recover(recover()) }()
	placeOrder()
}

// signIn makes the next error this person's.
func signIn(scope *sentry.Scope, id string) {
	scope.SetUser(sentry.User{ID: id, Email: canaries.Email, Username: canaries.Name, IPAddress: canaries.IP})
	// What applications add in all the places that the SDK offers for it.
	request := map[string]any{
		"url": "https://shop.example.com/orders?email=" + canaries.Query,
		"headers": map[string]string{
			"Cookie":        "sid=" + canaries.Cookie,
			"Authorization": "Bearer " + canaries.Authorization,
			"X-Customer":    canaries.Header,
		},
		"body": map[string]string{"note": canaries.Body},
		"from": canaries.IP,
	}
	message := fmt.Sprintf("%s (%s) signed in from %s", canaries.Name, canaries.Email, canaries.IP)
	scope.AddBreadcrumb(&sentry.Breadcrumb{Category: "auth", Message: message, Data: request}, 100)
	scope.SetTag("customer", canaries.Email)
	scope.SetContext("order", sentry.Context{"customer": canaries.Email, "request": request})
}

func serveAndRequest() {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders/{id}", func(_ http.ResponseWriter, request *http.Request) {
		signIn(sentry.GetHubFromContext(request.Context()).Scope(), request.Header.Get("X-User"))
		placeOrder()
	})
	server := httptest.NewServer(sentryhttp.New(sentryhttp.Options{}).Handle(mux))
	defer server.Close()
	for _, user := range canaries.Users {
		body := strings.NewReader(fmt.Sprintf(`{"note": %q}`, canaries.Body))
		request, err := http.NewRequest("POST", server.URL+"/orders/17?email="+canaries.Query, body)
		check(err)
		for name, value := range map[string]string{
			"Content-Type":    "application/json",
			"Cookie":          "sid=" + canaries.Cookie,
			"Authorization":   "Bearer " + canaries.Authorization,
			"X-Forwarded-For": canaries.IP,
			"X-Customer":      canaries.Header,
			"Referer":         "https://shop.example.com/cart?email=" + canaries.Query,
			"X-User":          user,
		} {
			request.Header.Set(name, value)
		}
		response, err := http.DefaultClient.Do(request)
		check(err)
		check(response.Body.Close())
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
