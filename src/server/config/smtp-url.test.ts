import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { ConfigError, readConfig } from "./config.ts";

/** A folder without a .env file. */
const empty = mkdtempSync(path.join(tmpdir(), "signalbox-mail-config-"));
after(() => rmSync(empty, { recursive: true, force: true }));

const FROM = { MAIL_FROM: "signalbox@example.com" };

test("without SMTP_URL no email is sent", () => {
  assert.equal(readConfig({}, empty).mail, undefined);
  assert.equal(readConfig(FROM, empty).mail, undefined);
});

for (const [url, expected] of [
  ["smtp://localhost:1025", { host: "localhost", port: 1025, secure: false, requireTLS: false }],
  ["smtp://mail.example.com", { host: "mail.example.com", port: 587, secure: false, requireTLS: false }],
  ["smtps://mail.example.com/", { host: "mail.example.com", port: 465, secure: true, requireTLS: false }],
  ["smtp://[::1]:25", { host: "::1", port: 25, secure: false, requireTLS: false }],
  [
    "smtp://me:p%40ss%2Fword@mail.example.com:587",
    {
      host: "mail.example.com",
      port: 587,
      secure: false,
      requireTLS: true,
      auth: { user: "me", pass: "p@ss/word" },
    },
  ],
  [
    "smtps://me%40example.com:x@mail.example.com",
    {
      host: "mail.example.com",
      port: 465,
      secure: true,
      requireTLS: false,
      auth: { user: "me@example.com", pass: "x" },
    },
  ],
] as const)
  test(`SMTP_URL=${url} is valid`, () => {
    assert.deepEqual(readConfig({ SMTP_URL: url, ...FROM }, empty).mail?.smtp, expected);
  });

test("a password requires TLS, except to this machine", () => {
  const requireTLS = (host: string) =>
    readConfig({ SMTP_URL: `smtp://me:x@${host}`, ...FROM }, empty).mail?.smtp.requireTLS;
  assert.deepEqual(["mail.example.com", "10.0.0.1", "localhost.example.com"].map(requireTLS), [
    true,
    true,
    true,
  ]);
  assert.deepEqual(["localhost", "127.0.0.1", "[::1]"].map(requireTLS), [false, false, false]);
});

for (const [value, expected] of [
  ["signalbox@example.com", { name: "", address: "signalbox@example.com" }],
  ["Signalbox <signalbox@example.com>", { name: "Signalbox", address: "signalbox@example.com" }],
  ["<signalbox@example.com>", { name: "", address: "signalbox@example.com" }],
] as const)
  test(`MAIL_FROM=${value} is valid`, () => {
    const config = readConfig({ SMTP_URL: "smtp://localhost", MAIL_FROM: value }, empty);
    assert.deepEqual(config.mail?.from, expected);
  });

for (const [env, message] of [
  [{ SMTP_URL: "mail.example.com" }, /^SMTP_URL must be an address such as smtps:/],
  [{ SMTP_URL: "http://u:s3cret@mail.example.com" }, /^SMTP_URL must be an address such as smtps:/],
  [{ SMTP_URL: "smtp://" }, /^SMTP_URL must be an address such as smtps:/],
  [{ SMTP_URL: "smtp://u:s3cret@mail.example.com/path" }, /^SMTP_URL must end with the host or the port$/],
  [{ SMTP_URL: "smtp://mail.example.com?tls=no" }, /^SMTP_URL must end with the host or the port$/],
  [{ SMTP_URL: "smtp://u:s3cret%zz@mail.example.com" }, /^SMTP_URL has a user or password whose special/],
  [{ SMTP_URL: "smtp://u@mail.example.com" }, /^SMTP_URL must have both a user and a password, or neither$/],
  [{ SMTP_URL: "smtp://localhost", MAIL_FROM: "" }, /^MAIL_FROM must be set together with SMTP_URL/],
  [{ MAIL_FROM: "Signalbox" }, /^MAIL_FROM must be an address such as/],
  [{ MAIL_FROM: "a@b.c, d@e.f" }, /^MAIL_FROM must be an address such as/],
  [{ MAIL_FROM: "A\r\nBcc: x <a@b.c>" }, /^MAIL_FROM must be an address such as/],
  [{ SMTP_HOST: "mail.example.com" }, /^SMTP_HOST is not a setting\./],
] as const)
  test(`${JSON.stringify(env)} is rejected with one line that contains no secret`, () => {
    assert.throws(
      () => readConfig({ ...FROM, ...env }, empty),
      (error: Error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /\n|s3cret/);
        return true;
      },
    );
  });
