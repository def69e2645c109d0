import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { read } from "../../../../../test/support/sentry-events.ts";
import { readFeedback } from "../../doors/sentry/read-feedback.ts";
import { securityEvents } from "./security-report.ts";

const EMAIL = "[removed: email]";
const IP = "[removed: ip_address]";

describe("the release of a Sentry event", () => {
  const kept = [
    "shop@1.2.3",
    "my.app@1.2.3+45",
    "frontend@2024.10.1.2",
    "@acme/shop@1.2.3-beta.rc",
    "com.example.app@5.0.0.Final",
    "shop@v1.2.3-rc.next",
    "shop@1.2.3.4",
    "1.2.3.4",
    "v10.0.0.5",
    "120.0.0.0",
    "142.0.7444.59",
    "shop-2.4.0.1",
    "9f8e7d6c5b4a",
    "frontend@9f8e7d6c5b4a",
    "frontend@main.a1b2c3d",
    "2026-11-27T10:20:30Z",
    "shop@latest",
  ];
  for (const release of kept)
    it(`${release} is stored as it is`, () => {
      const event = read({ message: "m", release });
      assert.equal(event.release, release);
      assert.equal(event.additions, null);
    });

  const removed: [release: string, stored: string][] = [
    ["ada@example.com", EMAIL],
    ["shop by ada.lovelace+ci@mail.example.co.uk", `shop by ${EMAIL}`],
    ["shop-1.2.3 (ada@163.com)", `shop-1.2.3 (${EMAIL})`],
    ["ada%40example.com-5", EMAIL],
    ["ada@example.com@1.2.3", `${EMAIL}@1.2.3`],
    ["203.0.113.9", IP],
    ["shop@203.0.113.9", `shop@${IP}`],
    ["built on 10.0.0.5", `built on ${IP}`],
    ["10.0.0.5:8080", `${IP}:8080`],
    ["2001:db8::7", IP],
  ];
  for (const [release, stored] of removed)
    it(`${release} becomes ${stored}`, () => assert.equal(read({ message: "m", release }).release, stored));
});

describe("environment and server_name of a Sentry event", () => {
  const cases: [sent: string, stored: string][] = [
    ["staging-eu.2", "staging-eu.2"],
    ["ip-10-0-0-5.internal", "ip-10-0-0-5.internal"],
    ["web@blue", "web@blue"],
    ["ada@example.com", EMAIL],
    ["macbook of ada@example.com", `macbook of ${EMAIL}`],
    ["203.0.113.9", IP],
    ["2001:db8::7", IP],
    ["127.0.0.1", "127.0.0.1"],
  ];
  for (const [sent, stored] of cases)
    it(`${sent} is stored as ${stored}`, () => {
      const event = read({ message: "m", environment: sent, server_name: sent });
      assert.deepEqual([event.environment, event.host], [stored, stored]);
    });

  it("are cut only after addresses have been removed, which the event counts", () => {
    const event = read({ message: "m", server_name: `${"x".repeat(245)} ada@example.com` });
    assert.equal(event.host, `${"x".repeat(245)} ${EMAIL}`.slice(0, 255));
    assert.deepEqual(event.additions?.removed, { email: 1 });
  });
});

it("release and environment of a CSP report contain no addresses", () => {
  const report = { "csp-report": { "violated-directive": "script-src", "blocked-uri": "inline" } };
  const named = { release: "ada@example.com", environment: "203.0.113.9" };
  const [event] = securityEvents(report, named).map((sent) => read(sent));
  assert.deepEqual([event?.release, event?.environment], [EMAIL, IP]);
});

it("release and environment of feedback contain no addresses", () => {
  const sent = {
    contexts: { feedback: { message: "It broke" } },
    release: "ada@example.com",
    environment: "203.0.113.9",
  };
  const report = readFeedback(sent, null, { secret: Buffer.from("secret"), userAgent: undefined });
  assert.equal(report?.description, `It broke\n\nRelease: ${EMAIL}\nEnvironment: ${IP}`);
});

it("what identifies a device is not stored", () => {
  const device = { name: "Ada's phone", serial: "R58M12ABC", serial_number: "1", model: "SM-G973F" };
  const { additions } = read({ message: "m", contexts: { device } });
  assert.deepEqual(additions?.contexts, { device: { model: "SM-G973F" } });
});
