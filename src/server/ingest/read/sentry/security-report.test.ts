import assert from "node:assert/strict";
import { test } from "node:test";
import { securityEvents } from "./security-report.ts";

type Event = {
  exception: { values: { type: string; value: string }[] };
  fingerprint: string[];
  request?: { url: string };
  tags: Record<string, string>;
};

const eventsOf = (body: unknown) => securityEvents(body, { release: "1.2" }) as Event[];
const summary = (body: unknown) => eventsOf(body).map(({ fingerprint }) => fingerprint.join(" "));

const csp = {
  "csp-report": {
    "document-uri": "https://shop.example.com/cart?token=secret#a",
    "violated-directive": "script-src-elem 'self'",
    "effective-directive": "script-src-elem",
    "blocked-uri": "https://evil.example.org/a.js?x=1",
    "source-file": "https://shop.example.com/app.js?v=3",
    "line-number": 12,
    "script-sample": "alert('ada@example.com')",
  },
};

test("a report in the older format becomes an event grouped by directive and blocked host", () => {
  const [event] = eventsOf(csp);
  assert.deepEqual(event?.exception.values, [
    { type: "CspViolation", value: "script-src-elem blocked evil.example.org" },
  ]);
  assert.deepEqual(event?.fingerprint, ["CspViolation", "script-src-elem", "evil.example.org"]);
  assert.equal(event?.request?.url, "https://shop.example.com/cart");
  assert.equal(event?.tags["source"], "https://shop.example.com/app.js:12");
  assert.doesNotMatch(JSON.stringify(event), /secret|ada@/);
});

test("reports of the Reporting API are read, and those of other types are left out", () => {
  const url = "https://shop.example.com/cart?token=secret";
  const reports = [
    {
      type: "csp-violation",
      url,
      body: { effectiveDirective: "img-src", blockedURL: "https://shop.example.com/a.png", documentURL: url },
    },
    { type: "csp-violation", url, body: { effectiveDirective: "script-src", blockedURL: "inline" } },
    { type: "coep", url, body: { type: "corp", blockedURL: "https://cdn.example.net/x" } },
    {
      type: "coop",
      url,
      body: { type: "access-from-coop-page-to-openee", openeeURL: "https://pay.example.net/" },
    },
    { type: "deprecation", url, body: { id: "x" } },
  ];
  assert.deepEqual(summary(reports), [
    "CspViolation img-src self",
    "CspViolation script-src inline",
    "CoepViolation corp cdn.example.net",
    "CoopViolation access-from-coop-page-to-openee pay.example.net",
  ]);
  assert.deepEqual(summary({ "expect-ct-report": { hostname: "https://www.example.com", port: 443 } }), [
    "ExpectCtViolation expect-ct www.example.com",
  ]);
});

test("anything else is not a report", () => {
  for (const body of [null, 1, "x", [], {}, [[]], { "csp-report": null }, { type: "csp-violation" }, [null]])
    assert.deepEqual(summary(body), []);
  assert.deepEqual(summary({ "csp-report": { "blocked-uri": 5, "effective-directive": [] } }), [
    "CspViolation unknown self",
  ]);
});
