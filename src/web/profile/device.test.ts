import assert from "node:assert/strict";
import { test } from "node:test";
import { deviceOf } from "./device.ts";

const name = (userAgent: string | null) => deviceOf(userAgent).name;

test("a browser is not mistaken for the one it is based on", () => {
  const chrome =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
  assert.equal(name(chrome), "Chrome on Linux");
  assert.equal(
    name(`${chrome.replace("X11; Linux x86_64", "Windows NT 10.0; Win64; x64")} Edg/142.0`),
    "Edge on Windows",
  );
  assert.equal(
    name("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0"),
    "Firefox on macOS",
  );
});

test("phones are recognized", () => {
  const iphone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1";
  assert.deepEqual(deviceOf(iphone), { name: "Safari on iPhone", isPhone: true });
  assert.equal(deviceOf("Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0").isPhone, false);
});

test("an unknown user agent is shown as it is, a missing one as unknown", () => {
  assert.equal(name("curl/8.1"), "curl/8.1");
  assert.equal(name(null), "Unknown browser");
});
