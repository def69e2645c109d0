import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { BUILT_IN, BUILT_IN_RULES } from "./built-in-rules.ts";
import { removeFromCode, removeFromJson, removeFromText } from "./remove-personal-data.ts";
import type { Removed, Rules } from "./rules.ts";

const text = (value: string, rules: Rules = BUILT_IN) => removeFromText(value, rules, new Map());
const json = (value: unknown) => removeFromJson(value, BUILT_IN, new Map());

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
const PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----";

describe("personal data in keys", () => {
  const removedKeys: [rule: string, keys: string[]][] = [
    ["password", ["password", "newPassword", "PASSWORD_2", "user.passwd", "pwd", "DB_PWD", "passwords"]],
    ["secret", ["secret", "clientSecret", "client-secret", "SECRET_KEY", "credentials"]],
    ["token", ["token", "accessToken", "x-auth-token", "tokens", "idToken", "accesstoken"]],
    ["authorization", ["authorization", "Proxy-Authorization", "auth"]],
    ["api_key", ["api_key", "apiKey", "X-Api-Key", "apikey", "APIKey", "private_key", "accessKeys"]],
    ["session", ["session", "sessionId", "session_id", "sessionid", "PHPSESSID", "connect.sid"]],
    ["csrf", ["csrf", "X-CSRF-Token", "csrfmiddlewaretoken", "_xsrf"]],
    ["card", ["card", "cardNumber", "credit_card", "cvv"]],
    ["iban", ["iban", "customerIban"]],
    ["ssn", ["ssn", "user_ssn"]],
    ["cookie", ["cookie", "Set-Cookie", "cookies"]],
    ["ip_address", ["ip", "clientIp", "ip_address", "REMOTE_ADDR", "x-forwarded-for"]],
    ["header", ["headers", "requestHeaders"]],
    ["body", ["body", "responseBody"]],
    ["query_string", ["query_string", "http.query", "url.query", "queryParams"]],
  ];
  for (const [rule, keys] of removedKeys) {
    it(`the rule ${rule} removes the values of ${keys.join(", ")}`, () => {
      for (const key of keys) {
        assert.deepEqual(json({ [key]: "value" }), { [key]: `[removed: ${rule}]` }, key);
        assert.deepEqual(json([{ a: { [key]: { b: [1] } } }]), [{ a: { [key]: `[removed: ${rule}]` } }], key);
      }
    });
  }

  it("keys that only contain the letters of a sensitive word keep their values", () => {
    const kept = {
      className: "Cart",
      secretary: "Kim",
      tokenizer: "bpe",
      discard: true,
      cardinality: 3,
      obsession: "x",
      author: "Kim",
      zip: "10115",
      body_size: 17,
      passenger: "x",
      key: "ArrowDown",
      assign: 1,
      recipe: "soup",
    };
    assert.deepEqual(json(kept), kept);
  });

  it("null stays null, so that an absent value can be told from a removed one", () => {
    assert.deepEqual(json({ password: null, token: "" }), { password: null, token: "[removed: token]" });
  });
});

describe("personal data in texts", () => {
  const cases: [text: string, kept: string][] = [
    ["card 4111 1111 1111 1111 was declined", "card [removed: card_number] was declined"],
    ["4242424242424242", "[removed: card_number]"],
    ["378282246310005, 5555-5555-5555-4444", "[removed: card_number], [removed: card_number]"],
    ["3782 822463 10005", "[removed: card_number]"],
    ["Authorization: Bearer abc123.def-456", "Authorization: Bearer [removed: bearer_token]"],
    ["Bearer Bearer abc123.def-456", "Bearer Bearer [removed: bearer_token]"],
    ["sent bearer AbCdEfGhIjKlMnOpQrStUvWx", "sent bearer [removed: bearer_token]"],
    ["Basic YW5uOmh1bnRlcjI=", "Basic [removed: basic_credentials]"],
    [`jwt ${JWT}!`, "jwt [removed: jwt]!"],
    [JWT.slice(0, 40), "[removed: jwt]"],
    [`key: ${PEM} end`, "key: [removed: private_key] end"],
    [PEM.slice(0, 40), "[removed: private_key]"],
    ["no user ann.o'neil+x@mail.example.com found", "no user [removed: email] found"],
    ["<a@b.c>, jürgen@münchen.de", "<[removed: email]>, [removed: email]"],
    ["/users/ann%40example.com/cart", "/users/[removed: email]/cart"],
    ["from 203.0.113.7:443", "from [removed: ip_address]:443"],
    [
      "[2001:db8::8a2e:370:7334]:443 and ::ffff:203.0.113.7",
      "[[removed: ip_address]]:443 and [removed: ip_address]",
    ],
    ["db.internal/10.0.0.5:5432", "db.internal/[removed: ip_address]:5432"],
    ["postgres://ann:hunter2@db/shop", "postgres://[removed: url_credentials]@db/shop"],
    ["GET https://x.example/a?b=c&d 500", "GET https://x.example/a?[removed: query_string] 500"],
    ["GET /orders?token=1", "GET /orders?[removed: query_string]"],
    ["see /a?lang and b#access_token=1", "see /a?[removed: query_string] and b#[removed: query_string]"],
    ["login with password=hunter2&x=1 failed", "login with password=[removed: password]&x=1 failed"],
    ['{"password": "hun\\"ter2", "a": 1}', '{"password": [removed: password], "a": 1}'],
    ['{\\"apiKey\\":\\"k1\\",\\"a\\":1}', '{\\"apiKey\\":[removed: api_key],\\"a\\":1}'],
    ["key ghp_0123456789abcdefghijABCDEFGHIJ456789", "key [removed: access_key]"],
  ];
  for (const [sent, kept] of cases) {
    it(`${JSON.stringify(sent.slice(0, 60))} becomes ${JSON.stringify(kept)}`, () => {
      assert.equal(text(sent), kept);
    });
  }

  const harmless = [
    "4111111111111112 is no card number",
    "trace 4f8d94ad111799264efca5fb75cc1bd1785c",
    "1795210370936000000 ns",
    "0.4111111111111111",
    "at f (/srv/app/node_modules/@sentry/node/index.js:10:5)",
    "render@app.js:10:5",
    "react@18.2.0",
    "Bearer authentication failed",
    "basic checks failed",
    "connect ECONNREFUSED 127.0.0.1:5432",
    "Chrome/120.0.0.0 Safari/537.36",
    "version 1.2.3.4, v1.2.3.4",
    "std::vector a::b 12:30:45 00:1b:44:11:3a:b7",
    "Is it done? Yes",
    "Unexpected token: } in JSON",
    "a == token, token => x",
    "/issues#comments",
  ];
  it("texts without personal data stay as they are", () => {
    for (const sent of harmless) assert.equal(text(sent), sent);
  });

  it("a card number that was sent as a number is removed, and other numbers stay", () => {
    assert.deepEqual(json([4111111111111111, 1795210370936, 1e300, -1, 0.5]), [
      "[removed: card_number]",
      1795210370936,
      1e300,
      -1,
      0.5,
    ]);
  });

  it("source code keeps expressions that look like queries or assignments, but no values", () => {
    const line = "const token=next?a=b:c; send('ann@example.com', '203.0.113.7')";
    assert.equal(
      removeFromCode(line, BUILT_IN, new Map()),
      "const token=next?a=b:c; send('[removed: email]', '[removed: ip_address]')",
    );
  });
});

describe("removing personal data", () => {
  it("counts what each rule removed", () => {
    const removed: Removed = new Map();
    removeFromJson({ password: "a", b: [{ password: 1 }, "a@b.example c@d.example"] }, BUILT_IN, removed);
    assert.deepEqual(Object.fromEntries(removed), { password: 2, email: 2 });
  });

  it("leaves no personal data in recorded requests of SDKs", () => {
    for (const file of ["node-10.78.0.json", "browser-10.78.0.json"]) {
      const path = new URL(`../../../../test/fixtures/sentry/${file}`, import.meta.url);
      const requests = JSON.parse(readFileSync(path, "utf8")) as { body: string }[];
      const lines = requests.flatMap(({ body }) => body.split("\n")).filter((line) => line.startsWith("{"));
      assert.ok(lines.length > 5);
      const kept = JSON.stringify(json(lines.map((line) => JSON.parse(line) as unknown)));
      for (const value of ["a@b.c", "10.0.0.1", '"sid":"1"', "sid=1", "token=[Filtered]"])
        assert.ok(!kept.includes(value), value);
      assert.ok(kept.includes("trace_id"));
    }
  });

  it("removes personal data from keys", () => {
    assert.deepEqual(json({ "ann@example.com": 1 }), { "[removed: email]": 1 });
  });

  it("keeps a key named __proto__ as data", () => {
    const kept = (sent: string) => JSON.stringify(json(JSON.parse(sent)));
    assert.equal(kept('{"__proto__":{"x":1}}'), '{"__proto__":{"x":1}}');
    assert.equal(kept('{"__proto__":{"x":1},"pw":2}'), '{"__proto__":{"x":1},"pw":"[removed: password]"}');
    assert.equal(kept('{"a@b.example":1,"__proto__":2}'), '{"[removed: email]":1,"__proto__":2}');
  });

  it("applies the rules it is given", () => {
    const own: Rules = {
      ruleOfKey: (key) => (key === "plan" ? "plans" : BUILT_IN.ruleOfKey(key)),
      inText: [(value, found) => value.replaceAll("K-1", () => found("customers"))],
      inCode: [],
    };
    const removed: Removed = new Map();
    assert.deepEqual(removeFromJson({ plan: "pro", a: "K-1 a@b.example" }, own, removed), {
      plan: "[removed: plans]",
      a: "[removed: customers] a@b.example",
    });
    assert.deepEqual(Object.fromEntries(removed), { plans: 1, customers: 1 });
  });

  it("every name in a replacement is in the list of built-in rules", () => {
    const names = new Set(BUILT_IN_RULES.map(({ name }) => name));
    assert.equal(names.size, BUILT_IN_RULES.length);
    const source = ["secrets.ts", "personal-values.ts"]
      .map((file) => readFileSync(new URL(file, import.meta.url), "utf8"))
      .join("");
    const used = [...source.matchAll(/found\("(\w+)"\)/g)].map((match) => match[1] ?? "");
    assert.ok(used.length > 8);
    assert.deepEqual(
      used.filter((name) => !names.has(name)),
      [],
    );
  });

  // Quadratic time would take minutes for a million characters.
  it("takes linear time for hostile texts", () => {
    const pieces = [
      "a",
      "eyJ",
      "eyJaaaaaa.",
      "-eyJaaaaaaaa",
      "@",
      "a@",
      "a.",
      "@a.",
      "a@a.",
      "%40",
      "%40a.",
      "1",
      "4 ",
      "4111 ",
      "1.",
      "1.1.",
      "a:",
      ":",
      "::",
      "1::",
      "://",
      "://a:",
      "a://a:a",
      "?",
      "?a",
      "?a=",
      "#a=",
      "bearer ",
      "bearer  ",
      "basic a",
      "-----BEGIN ",
      "-----BEGIN PRIVATE KEY-----",
      "-----END ",
      "password=",
      'password="',
      '"password":',
      '"password":"',
      '\\"a\\":',
      '"token":{',
      "=",
      '":',
      "ghp_",
      "sk-",
      "A",
      "Aa",
      "_",
      " ",
      "\n",
      "\u{1f600}",
      "\ud800",
      "é",
    ];
    for (const piece of pieces) {
      const hostile = piece.repeat(Math.ceil(200_000 / piece.length));
      text(hostile);
      text(`${hostile}@`);
      json({ [hostile]: 1 });
    }
  });
});
