import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../../config/config.ts";
import { problemOfUrl } from "./problem-of-url.ts";

const allow = (WEBHOOK_ALLOW: string) => readConfig({ WEBHOOK_ALLOW }, "/nonexistent").webhookAllow;
const PRIVATE = "must not be an address of a private or special network";

for (const url of ["https://hooks.example.com/x?y=z", "https://hooks.example.com:8443/", "https://8.8.8.8/"])
  test(`${url} can be a webhook's address`, () => assert.equal(problemOfUrl(url, []), undefined));

for (const host of [
  "127.0.0.1",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "127.1",
  "0x7f.1",
  "１２７.0.0.1",
  "169.254.169.254",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[64:ff9b::a00:1]",
  "[2002:a00:1::]",
  "[fe80::1]",
  "10.0.0.1:8443",
])
  test(`the host ${host} is refused because it is an internal address`, () => {
    assert.equal(problemOfUrl(`https://${host}/`, []), PRIVATE);
  });

for (const url of [
  "http://hooks.example.com/",
  "ftp://hooks.example.com/",
  "hooks.example.com",
  "https://",
  "",
])
  test(`${JSON.stringify(url)} is refused because it is not an https address`, () => {
    assert.equal(problemOfUrl(url, []), "must be an https:// address");
  });

for (const url of ["https://user@hooks.example.com/", "https://:password@hooks.example.com/"])
  test(`${url} is refused because of its credentials`, () => {
    assert.equal(problemOfUrl(url, []), "must not contain a user or password");
  });

test("an address of more than 2,048 characters is refused", () => {
  const url = `https://hooks.example.com/${"x".repeat(2_022)}`;
  assert.equal(problemOfUrl(url, []), undefined);
  assert.equal(problemOfUrl(`${url}x`, []), "must be at most 2048 characters");
});

test("an allowed host may use http and a private address", () => {
  const allowed = allow("Chat.internal, 10.0.0.5:8080,[fd00::5]");
  for (const url of ["http://chat.internal:81/", "http://10.0.0.5:8080/", "http://[fd00:0::5]/"])
    assert.equal(problemOfUrl(url, allowed), undefined);
});

test("a host that is allowed with a port is allowed with that port only", () => {
  const allowed = allow("10.0.0.5:8080,10.0.0.6:443");
  assert.equal(problemOfUrl("https://10.0.0.6/", allowed), undefined);
  for (const url of ["https://10.0.0.5/", "https://10.0.0.6:8080/"])
    assert.equal(problemOfUrl(url, allowed), PRIVATE);
});

test("an allowed name does not allow its address", () => {
  assert.equal(problemOfUrl("https://127.0.0.1/", allow("localhost")), PRIVATE);
});
