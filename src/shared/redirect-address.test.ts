import assert from "node:assert/strict";
import { test } from "node:test";
import { isRedirectAddress, isRegistered } from "./redirect-address.ts";

for (const address of [
  "https://agent.example/callback",
  "https://agent.example:8443/callback?tenant=4",
  "https://agent.example",
  "http://localhost/callback",
  "http://127.0.0.1:33418/",
  "http://[::1]:8080/callback",
])
  test(`codes may be sent to ${address}`, () => assert.ok(isRedirectAddress(address)));

for (const address of [
  "http://agent.example/callback",
  "http://localhost.agent.example/callback",
  "http://127.0.0.1.agent.example/",
  "http://127.0.0.2/",
  "http://localhost:123456/",
  "http://localhost@agent.example/",
  "http://localhost:80@agent.example/",
  "https://user@agent.example/callback",
  "https://user:password@agent.example/callback",
  "https://@agent.example/callback",
  "https://agent.example/callback#fragment",
  "https://agent.example/callback#",
  "https:\\\\agent.example/callback",
  "https://agent.example\\@evil.example/",
  "https:agent.example/callback",
  " https://agent.example/callback",
  "https://agent.example/call\tback",
  "https://agént.example/callback",
  "https://",
  "javascript:alert(1)//https://agent.example",
  "data:text/html,hello",
  "file:///etc/passwd",
  "cursor://agent/callback",
  "/callback",
  "",
])
  test(`codes may not be sent to ${JSON.stringify(address)}`, () => assert.ok(!isRedirectAddress(address)));

const REGISTERED = ["https://agent.example/app/callback", "http://localhost:4000/callback"];

for (const address of [...REGISTERED, "http://localhost:51234/callback", "http://localhost/callback"])
  test(`${address} is registered`, () => assert.ok(isRegistered(REGISTERED, address)));

for (const [what, address] of [
  ["a longer path", "https://agent.example/app/callback/evil"],
  ["a longer name", "https://agent.example/app/callbackevil"],
  ["a shorter path", "https://agent.example/app"],
  ["another path", "https://agent.example/other"],
  ["a query", "https://agent.example/app/callback?next=https://evil.example"],
  ["a fragment", "https://agent.example/app/callback#evil"],
  ["path traversal", "https://agent.example/app/callback/../../evil"],
  ["encoded path traversal", "https://agent.example/app/callback/%2e%2e/evil"],
  ["path traversal to itself", "https://agent.example/app/x/../callback"],
  ["another port", "https://agent.example:444/app/callback"],
  ["the default port", "https://agent.example:443/app/callback"],
  ["another host", "https://evil.example/app/callback"],
  ["a longer host", "https://agent.example.evil.example/app/callback"],
  ["a subdomain", "https://evil.agent.example/app/callback"],
  ["a user", "https://agent.example@evil.example/app/callback"],
  ["the host as a user", "https://evil.example/agent.example/app/callback"],
  ["another case", "https://AGENT.example/app/callback"],
  ["another scheme", "http://agent.example/app/callback"],
  ["a scheme of its own", "agent://agent.example/app/callback"],
  ["a script", "javascript:location='https://agent.example/app/callback'"],
  ["another path on this computer", "http://localhost:51234/other"],
  ["another name of this computer", "http://127.0.0.1:4000/callback"],
  ["https on this computer", "https://localhost:4000/callback"],
  ["a port that is none", "http://localhost:99999/callback"],
  ["a host behind this computer's name", "http://localhost:4000@evil.example/callback"],
] as const)
  test(`an address with ${what} is not registered`, () => assert.ok(!isRegistered(REGISTERED, address)));
