import assert from "node:assert/strict";
import { test } from "node:test";
import { repositoryUrlPattern } from "./source-links.ts";
import { sourceUrl } from "./source-url.ts";

const GITHUB = "https://github.com/acme/shop/blob/{release}/{path}#L{line}";

for (const pattern of [
  GITHUB,
  "http://git.internal:3000/shop/src/branch/main/{path}",
  "https://dev.azure.com/acme/_git/shop?path=/{path}&line={line}",
  "HTTPS://example.com/v{release}/{path}",
])
  test(`the pattern ${pattern} is valid`, () => {
    assert.equal(repositoryUrlPattern.parse(pattern), pattern);
  });

for (const [pattern, message] of [
  ["javascript:alert('{path}')", "must begin with http:// or https:// and a host"],
  ["//example.com/{path}", "must begin with http:// or https:// and a host"],
  ["https:///{path}", "must begin with http:// or https:// and a host"],
  [" https://example.com/{path}", "must begin with http:// or https:// and a host"],
  ["https://{path}/x", "must have a host without placeholder, user name or backslash"],
  ["https://github.com{path}", "must have a host without placeholder, user name or backslash"],
  ["https://github.com@evil.example/{path}", "must have a host without placeholder, user name or backslash"],
  ["https://github.com\\evil/{path}", "must have a host without placeholder, user name or backslash"],
  ["https://github.com/acme/shop", "must contain {path}"],
  ["https://github.com/{branch}/{path}", "must contain no other braces than {path}, {line} and {release}"],
  ["https://github.com/a b/{path}", "must be a valid address without spaces"],
  ["https://github.com:port/{path}", "must be a valid address without spaces"],
  [`https://github.com/{path}${"a".repeat(500)}`, "must be at most 500 characters"],
  [7, "must be a string"],
] as const)
  test(`the pattern ${String(pattern).slice(0, 40)} is rejected: it ${message}`, () => {
    const { error } = repositoryUrlPattern.safeParse(pattern);
    assert.equal(error?.issues[0]?.message, message);
  });

for (const [source, url] of [
  [
    { path: "src/cart.ts", line: 12, release: "v4.1.0" },
    "https://github.com/acme/shop/blob/v4.1.0/src/cart.ts#L12",
  ],
  [
    { path: "a b/ü#?.ts", release: "feature/x y" },
    "https://github.com/acme/shop/blob/feature/x%20y/a%20b/%C3%BC%23%3F.ts#L1",
  ],
  [
    { path: "/./src/../../../lib//a.ts", line: 3, release: "../1.0" },
    "https://github.com/acme/shop/blob/1.0/lib/a.ts#L3",
  ],
  [
    { path: "%2e%2e/{line}/$&.ts", line: 3, release: "1" },
    "https://github.com/acme/shop/blob/1/%252e%252e/%7Bline%7D/%24%26.ts#L3",
  ],
  [{ path: "\ud800.ts", release: "1" }, "https://github.com/acme/shop/blob/1/%EF%BF%BD.ts#L1"],
  [{ path: "src/cart.ts", release: null }, undefined],
  [{ path: "..", release: "1" }, undefined],
] as const)
  test(`the source ${JSON.stringify(source)} is at ${url}`, () => {
    assert.equal(sourceUrl(GITHUB, source), url);
  });
