import assert from "node:assert/strict";
import { test } from "node:test";
import { contextLabel } from "./context-label.ts";

test("a route is labeled with its method and pattern, joined by a space", () => {
  assert.equal(contextLabel({ kind: "route", method: "GET", pattern: "/users/{id}" }), "GET /users/{id}");
});

test("a route without method or pattern is labeled with the other one alone", () => {
  assert.equal(contextLabel({ kind: "route", method: "GET", pattern: null }), "GET");
  assert.equal(contextLabel({ kind: "route", method: null, pattern: "/users" }), "/users");
  assert.equal(contextLabel({ kind: "route", method: "", pattern: "/users" }), "/users");
});

test("a job is labeled with the part of its name after the last backslash", () => {
  assert.equal(contextLabel({ kind: "job", name: "App\\Jobs\\SendInvoice" }), "SendInvoice");
  assert.equal(contextLabel({ kind: "job", name: "\\SendInvoice" }), "SendInvoice");
});

test("a job without a backslash in its name is labeled with the whole name", () => {
  assert.equal(contextLabel({ kind: "job", name: "mail/send invoice" }), "mail/send invoice");
});

test("a command is labeled with its name, including backslashes", () => {
  assert.equal(contextLabel({ kind: "command", name: "app:import" }), "app:import");
  assert.equal(contextLabel({ kind: "command", name: "App\\Import" }), "App\\Import");
});

test("a context with only its kind has an empty label", () => {
  for (const kind of ["route", "job", "command"] as const) {
    assert.equal(contextLabel({ kind }), "");
    assert.equal(contextLabel({ kind, name: null, method: null, pattern: null }), "");
  }
});
