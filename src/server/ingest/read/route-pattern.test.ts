import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isAllowedPattern } from "./route-pattern.ts";

// Any UTF-16 code unit, including lone surrogates.
const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });

function assertEach(patterns: string[], expected: boolean) {
  for (const pattern of patterns) assert.equal(isAllowedPattern(pattern), expected, pattern);
}

test("a declared path is allowed, with or without a leading slash", () => {
  assertEach(
    ["/", "", "/users", "users", "api/v1/users", "/robots.txt", "robots.txt", "/a/b.c/d", "users/"],
    true,
  );
  assertEach([".well-known/openid-configuration", "/v1.0/users", "*", "(.*)/edit"], true);
});

test("placeholders of the common routers are allowed", () => {
  assertEach(["/users/{id}", "/users/:id", ":id", "{id}", "/users/<int:id>", "users/<int:id>/edit"], true);
  assertEach(
    ["/files/*", "/files/*path", "/flights/:from-:to", "/users(/:id)(.:format)", "/users/[id]"],
    true,
  );
  assertEach(["/v1/{name=projects/*}:cancel", "/v1/items:undo", "[controller]/[action]"], true);
});

test("a question mark inside a placeholder is allowed", () => {
  assertEach(
    ["{id?}", ":id?", "/users/{id?}/edit", "/users/:id?/edit", "/:from?-:to?", "/:name?.:ext?"],
    true,
  );
  assertEach(["/{a?}/{b?}", "/{year?}{month?}", "/users/:id(\\d+)?/edit", "/:id?{rest}"], true);
});

test("a question mark at the very end is allowed", () => {
  assertEach(["/users?", "/users/{id}?", "users?", "/:id??", "/(draft)?"], true);
});

test("any other question mark starts a query string", () => {
  assertEach(["/users?page=2", "/users?page", "/users?/edit", "/users??", "/{id}?/edit", "?a=1"], false);
  assertEach(
    ["/users/:id?page=2", "/users/{id?}?page=2", "/users/{id?page=2", "/users/id}?x=1", "/a{?b{c}"],
    false,
  );
});

test("constraints inside a placeholder may contain question marks, number signs, colons and slashes", () => {
  assertEach(["/{id:[0-9]{2,}?}", "/{path:.*}", "{path:.*}/edit", "/{id:(?:a|b)}", "/{a:{{b?}}}"], true);
  assertEach(["/{tag:#\\w+}", "/{url:https?://.+}", "{port:[0-9]+}/x", "/{id:\\d+}:80x"], true);
  assertEach(["/users/:id(\\d+)", "/:id(\\d+?)/edit", "/:id((?:a|b)+)", ":id([0-9.]+)/x"], true);
});

test("a fragment is refused, but a number sign inside closed braces is allowed", () => {
  assertEach(["/users#top", "#", "/users/#", "/{id}#top", "/{id#top", "/users/:id(#)"], false);
});

test("a scheme is refused, in any case and with any number of slashes", () => {
  assertEach(
    ["https://example.com/users", "HTTP://example.com", "http:/users", "ftp:users", "file:///etc"],
    false,
  );
  assertEach(
    ["mailto:a@example.com", "javascript:alert(1)", "urn:isbn:1", "svn+ssh://h/x", " https://h"],
    false,
  );
  assertEach(
    ["GET https://example.com/users", "/proxy/https://example.com", "{scheme}://{host}/users"],
    false,
  );
});

test("a pattern that starts with two slashes has a host", () => {
  assertEach(["//example.com/users", "//localhost", "//", "//{tenant}/users"], false);
});

test("a first segment that ends in a port is a host", () => {
  assertEach(["localhost:8080", "localhost:8080/users", "/localhost:8080/users", "example.com:443"], false);
  assertEach(["10.0.0.1:80/users", "[::1]:3000/users", "{tenant}:8080/users", ":8080/users"], false);
  assertEach(["localhost:8080?", "localhost:8080?x=1"], false);
});

test("a dotted first segment before a slash is a host, unless the pattern starts with a slash", () => {
  assertEach(
    ["example.com/users", "example.com/", "a.b.example/x", "example.com./x", "münchen.example/x"],
    false,
  );
  assertEach(
    ["{tenant}.example.com/users", ":tenant.example.com/users", "10.0.0.1/users", "[::1]/users"],
    false,
  );
  assertEach(["/example.com/users", "example.com", "api/example.com/users", "users/a.b/"], true);
});

test("no text makes the check throw", () => {
  fc.assert(fc.property(anyText, (text) => typeof isAllowedPattern(text) === "boolean"));
});

test("any path of plain segments and placeholders is allowed", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^(?:[a-z]+|\{[a-z]+\??\}|:[a-z]+\??)$/)), (segments) =>
      isAllowedPattern(`/${segments.join("/")}`),
    ),
  );
});

test("a query string, a fragment or a scheme is refused after any path", () => {
  const path = fc.array(fc.stringMatching(/^(?:[a-z.]+|\{[a-z]+\??\}|:[a-z]+)$/)).map((all) => all.join("/"));
  const tail = fc.constantFrom("?token=1", "/x?token=1", "#top", "/#/users", "://example.com");
  fc.assert(fc.property(path, tail, (start, end) => !isAllowedPattern(`/${start}${end}`)));
});
