import assert from "node:assert/strict";
import { test } from "node:test";
import { allowsOrigin } from "./allows-origin.ts";

test("an empty list allows every origin", () => {
  for (const origin of ["https://shop.example.com", "null"]) assert.ok(allowsOrigin([], origin));
});

test("a request without an origin is always allowed", () => {
  assert.ok(allowsOrigin(["https://shop.example.com"], undefined));
});

test("an origin must match in scheme, host and port", () => {
  const list = ["https://shop.example.com", "http://localhost:3000"];
  for (const origin of ["https://shop.example.com", "https://SHOP.example.com", "http://localhost:3000"])
    assert.ok(allowsOrigin(list, origin), origin);
  for (const origin of [
    "http://shop.example.com",
    "https://shop.example.com:8443",
    "https://a.shop.example.com",
    "https://shop.example.com.evil.test",
    "http://localhost",
    "null",
    "",
  ])
    assert.ok(!allowsOrigin(list, origin), origin);
});

test("a wildcard allows subdomains at any depth, but not the domain itself", () => {
  const list = ["https://*.example.com"];
  for (const origin of ["https://shop.example.com", "https://a.b.example.com"])
    assert.ok(allowsOrigin(list, origin), origin);
  for (const origin of [
    "https://example.com",
    "https://.example.com",
    "https://evilexample.com",
    "https://shop.example.com:8443",
    "http://shop.example.com",
    "https://shop.example.com.evil.test",
  ])
    assert.ok(!allowsOrigin(list, origin), origin);
  assert.ok(allowsOrigin(["https://*.example.com:8443"], "https://shop.example.com:8443"));
});
