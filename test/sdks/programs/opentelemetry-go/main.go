// Package main fails to place an order, in a span that records the error.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// What the runner passes: who the two users are and what else must not be stored.
var canaries struct {
	Users                                                       []string
	Email, Name, IP, Cookie, Header, Authorization, Query, Body string
}

// PaymentError says that a card was declined.
type PaymentError struct{}

func (e *PaymentError) Error() string { return "the card was declined" }

//go:noinline
func placeOrder(span trace.Span) error {
	err := &PaymentError{}
	span.RecordError(err, trace.WithStackTrace(true))
	return err
}

func main() {
	check(json.Unmarshal([]byte(os.Getenv("CANARIES")), &canaries))
	ctx := context.Background()
	spans, err := otlptracehttp.New(ctx)
	check(err)
	tracing := sdktrace.NewTracerProvider(sdktrace.WithBatcher(spans))
	tracer := tracing.Tracer("shop")
	for _, user := range canaries.Users {
		_, span := tracer.Start(ctx, "POST /orders/{id}", trace.WithAttributes(attributesOf(user)...))
		_ = placeOrder(span)
		span.End()
	}
	check(tracing.Shutdown(ctx))
	fmt.Println("flushed")
}

// attributesOf returns what applications and instrumentations add to spans.
func attributesOf(user string) []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.String("enduser.id", user),
		attribute.String("user.email", canaries.Email),
		attribute.String("user.name", canaries.Name),
		attribute.String("client.address", canaries.IP),
		attribute.String("url.full", "https://shop.example.com/orders/17?email="+canaries.Query),
		attribute.String("http.route", "/orders/{id}"),
		attribute.String("http.request.method", "POST"),
		attribute.Int("http.response.status_code", 500),
		attribute.StringSlice("http.request.header.cookie", []string{"sid=" + canaries.Cookie}),
		attribute.StringSlice("http.request.header.authorization", []string{"Bearer " + canaries.Authorization}),
		attribute.StringSlice("http.request.header.x-customer", []string{canaries.Header}),
		attribute.String("http.request.body.content", canaries.Body),
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
