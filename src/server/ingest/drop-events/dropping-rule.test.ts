import assert from "node:assert/strict";
import { test } from "node:test";
import type { InboundKind } from "../../../shared/rule-kinds.ts";
import { droppingRule } from "./dropping-rule.ts";
import type { EventFacts } from "./event-facts.ts";

const FACTS: EventFacts = {
  exception_class: "TypeError",
  message: "x is undefined",
  release: "4.12.0",
  environment: "production",
  userAgent:
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  file: "https://shop.example.com/app.js",
  addresses: ["https://shop.example.com/cart"],
};

const drops = (kind: InboundKind, pattern: string | null, facts: Partial<EventFacts>) =>
  droppingRule(JSON.stringify([{ id: 7, kind, pattern }]), { ...FACTS, ...facts }) === 7;

const safari = (version: string) =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`;

const CASES: [
  kind: InboundKind,
  pattern: string | null,
  dropped: Partial<EventFacts>[],
  stored: Partial<EventFacts>[],
][] = [
  [
    "exception_class",
    "^(Type|Range)Error$",
    [{}, { exception_class: "RangeError" }],
    [{ exception_class: "MyTypeError" }],
  ],
  ["message", "(?i)resizeobserver loop", [{ message: "ResizeObserver loop limit" }], [{}, { message: "" }]],
  ["release", "-dev\\b", [{ release: "4.13.0-dev" }], [{}, { release: null }]],
  ["environment", "^staging|test$", [{ environment: "staging-2" }, { environment: "test" }], [{}]],
  [
    "browser_extensions",
    null,
    [
      { file: "chrome-extension://abcdef/content.js" },
      { file: "moz-extension://a/b.js" },
      { file: "safari-web-extension://a/b.js" },
      { message: "Extension context invalidated." },
    ],
    [{}, { file: null }, { file: "/srv/app/chrome-extension.js" }],
  ],
  [
    "old_browsers",
    null,
    [
      { userAgent: "Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko" },
      { userAgent: "Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2)" },
      {
        userAgent:
          "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.1 Safari/537.36",
      },
      { userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:91.0) Gecko/20100101 Firefox/91.0" },
      { userAgent: safari("14.1.2") },
    ],
    [{}, { userAgent: null }, { userAgent: safari("15.0") }, { userAgent: "curl/7.1" }],
  ],
  [
    "localhost",
    null,
    [
      { addresses: ["http://localhost:3000/cart"] },
      { addresses: ["https://shop.example.com", "http://shop.localhost"] },
      { addresses: ["http://127.0.0.1:5173/"] },
      { addresses: ["http://[::1]/"] },
      { file: "http://localhost:3000/app.js" },
    ],
    [{}, { addresses: [] }, { addresses: ["/localhost", "https://localhost.example.com"] }],
  ],
  [
    "web_crawlers",
    null,
    [
      { userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" },
      { userAgent: "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)" },
      { userAgent: "Mozilla/5.0 (compatible; Baiduspider/2.0)" },
      { userAgent: "facebookexternalhit/1.1" },
    ],
    [
      {},
      { userAgent: null },
      { userAgent: "Mozilla/5.0 (Linux; Android 13; CUBOT NOTE 50) Chrome/142.0 Mobile" },
    ],
  ],
];

for (const [kind, pattern, dropped, stored] of CASES)
  test(`rules of the kind ${kind} drop matching events and no others`, () => {
    for (const facts of dropped) assert.ok(drops(kind, pattern, facts), JSON.stringify(facts));
    for (const facts of stored) assert.ok(!drops(kind, pattern, facts), JSON.stringify(facts));
  });

test("the first matching rule counts", () => {
  const rules = [
    { id: 1, kind: "message", pattern: "nothing" },
    { id: 2, kind: "release", pattern: "4" },
    { id: 3, kind: "environment", pattern: "prod" },
  ];
  assert.equal(droppingRule(JSON.stringify(rules), FACTS), 2);
});
