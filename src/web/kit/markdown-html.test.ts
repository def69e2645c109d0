import assert from "node:assert/strict";
import { test } from "node:test";
import { markdownHtml, MOST_SHOWN } from "./markdown-html.ts";

const html = (text: string, names: string[] = []) => markdownHtml(text, names).trim();

test("HTML in the source is shown as text", () => {
  assert.equal(html("<img src=x onerror=alert(1)>"), '<p dir="auto">&lt;img src=x onerror=alert(1)&gt;</p>');
  assert.doesNotMatch(html("<script>alert(1)</script>\n\n<div onclick=x>"), /<script|<div/);
});

test("links to anything but http, https and mailto are dropped", () => {
  for (const url of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc",
    "//evil.example",
    "/api",
    "&#106;avascript:x",
  ])
    assert.doesNotMatch(html(`[x](${url})`), /<a/, url);
  assert.match(
    html("[x](https://example.com)"),
    /<a href="https:\/\/example.com" rel="noopener noreferrer nofollow" target="_blank">x<\/a>/,
  );
  assert.match(html("<mailto:a@example.com>"), /href="mailto:a@example.com"/);
});

test("an image becomes a link", () => {
  const shown = html('![a "b"](https://example.com/x.png)');
  assert.doesNotMatch(shown, /<img/);
  assert.match(shown, /<a href="https:\/\/example.com\/x.png"[^>]*>a &quot;b&quot;<\/a>/);
  assert.doesNotMatch(html("![x](javascript:alert(1))"), /<a|<img/);
});

test("headings start below those of the page", () => {
  assert.equal(html("# a"), '<h3 dir="auto">a</h3>');
  assert.equal(html("###### a"), '<h6 dir="auto">a</h6>');
});

test("known names are highlighted in text, but not in code, link targets or attributes", () => {
  assert.equal(html("Hi @Ann", ["ann"]), '<p dir="auto">Hi <span class="mention">@Ann</span></p>');
  assert.doesNotMatch(html("`@ann`\n\n    @ann\n\n```\n@ann\n```", ["ann"]), /mention/);
  assert.doesNotMatch(html("<https://example.com/@ann>", ["ann"]), /mention/);
  assert.doesNotMatch(html("@bob", ["ann"]), /mention/);
});

test("text beyond the limit is truncated", () => {
  assert.ok(html(`${"a".repeat(MOST_SHOWN)}TAIL`).length < MOST_SHOWN + 40);
});

test("every block takes its direction from its text", () => {
  assert.equal(html("שלום"), '<p dir="auto">שלום</p>');
  assert.match(html("- שלום\n- Hello"), /^<ul dir="auto">/);
});

test("the times of a promoted error group are shown without seconds, with the exact time as title", () => {
  const at = "2026-11-18T22:03:55.120844+00:00";
  assert.match(
    html(`- First seen: ${at}`),
    /First seen: <time datetime="2026-11-18T22:03:55\.120844\+00:00" title="[^"]+">18 Nov 2026, 22:03 UTC<\/time>/,
  );
  // Text that a person wrote stays as it is.
  assert.match(html(`It failed at ${at}.`), /It failed at 2026-11-18T22:03:55\.120844\+00:00\./);
  assert.match(html("First seen: 2026-99-99T22:03:55.120844+00:00"), />2026-99-99T22/);
});
