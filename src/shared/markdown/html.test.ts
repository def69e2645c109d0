import assert from "node:assert/strict";
import { test } from "node:test";
import { markdownHtml, type Readable } from "./html.ts";
import { MAX_PARSED_LENGTH } from "./parser.ts";

const ANN = { people: new Map([["ann", ""]]) };

const html = (text: string, readable: Readable = {}) => markdownHtml(text, readable).trim();

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
    /<a href="https:\/\/example.com" rel="nofollow ugc noopener noreferrer" target="_blank">x<\/a>/,
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
  assert.equal(html("Hi @Ann", ANN), '<p dir="auto">Hi <span class="mention">@Ann</span></p>');
  assert.doesNotMatch(html("`@ann`\n\n    @ann\n\n```\n@ann\n```", ANN), /mention/);
  assert.doesNotMatch(html("<https://example.com/@ann>", ANN), /mention/);
  assert.doesNotMatch(html("@bob", ANN), /mention/);
});

test("text beyond the limit is truncated", () => {
  assert.ok(html(`${"a".repeat(MAX_PARSED_LENGTH)}TAIL`).length < MAX_PARSED_LENGTH + 40);
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

const LINK = 'rel="nofollow ugc noopener noreferrer" target="_blank"';

test("a URL in the text becomes a link, without the punctuation around it", () => {
  for (const [text, address, after] of [
    ["https://example.com/a_b_c", "https://example.com/a_b_c", ""],
    ["https://example.com/__init__.py?a=*b*c", "https://example.com/__init__.py?a=*b*c", ""],
    ["https://example.com.", "https://example.com", "."],
    ["https://example.com/a_(b))", "https://example.com/a_(b)", ")"],
    ["http://example.com, and", "http://example.com", ", and"],
  ] as const)
    assert.equal(html(text), `<p dir="auto"><a href="${address}" ${LINK}>${address}</a>${after}</p>`);
  assert.match(html("**https://example.com**"), /<strong><a href="https:\/\/example\.com"/);
  assert.match(
    html("see www.example.com/x."),
    /<a href="http:\/\/www\.example\.com\/x"[^>]*>www\.example\.com\/x<\/a>\./,
  );
  for (const text of ["`https://example.com`", "ahttps://example.com", "https://", "ftp://example.com"])
    assert.doesNotMatch(html(text), /<a/, text);
  assert.equal(html("[see https://a.example](https://b.example)").match(/<a/g)?.length, 1);
});

const SIGNALBOX = { projectKeys: ["WEB", "APP"], projectKey: "WEB" };

test("keys of issues become links for projects that the reader can access", () => {
  const link = (key: string) =>
    `<a href="/projects/${key.split("-")[0]}/issues/${key}" data-issue="${key}">${key}</a>`;
  assert.equal(
    html("WEB-12, (APP-3) and OPS-1.", SIGNALBOX),
    `<p dir="auto">${link("WEB-12")}, (${link("APP-3")}) and OPS-1.</p>`,
  );
  for (const text of [
    "`WEB-12`",
    "xWEB-12",
    "WEB-12x",
    "feature/WEB-12",
    "WEB-012",
    "https://example.com/WEB-12",
  ])
    assert.doesNotMatch(html(text, SIGNALBOX), /data-issue/, text);
  assert.doesNotMatch(html("[WEB-12](https://example.com)", SIGNALBOX), /data-issue/);
});

test("a number sign and a number is a report of the text's project", () => {
  assert.equal(
    html("See #32.", SIGNALBOX),
    '<p dir="auto">See <a href="/projects/WEB/reports/32" data-report="32">#32</a>.</p>',
  );
  assert.equal(html("#32"), '<p dir="auto">#32</p>');
  for (const text of ["a#32", "#032", "#3f3", "&#35;", "/x#32"])
    assert.doesNotMatch(html(text, SIGNALBOX), /data-report/, text);
});

test("a mention links to the address of the person", () => {
  assert.equal(
    html("Hi @Ann!", { people: new Map([["ann", "/projects/WEB/issues?assignee=7"]]) }),
    '<p dir="auto">Hi <a class="mention" href="/projects/WEB/issues?assignee=7" data-person="ann">@Ann</a>!</p>',
  );
});

test("a task has a box with the number of its line, which is enabled on demand", () => {
  const text = "Before\n\n- [ ] one **bold**\n  - [x] two\n- three\n- [X] WEB-1";
  const boxes = (shown: string) => [...shown.matchAll(/<input [^>]*>/g)].map(([box]) => box);
  assert.deepEqual(boxes(html(text, { ...SIGNALBOX, mayTick: true })), [
    '<input type="checkbox" aria-label="one bold" data-line="2">',
    '<input type="checkbox" aria-label="two" data-line="3" checked>',
    '<input type="checkbox" aria-label="WEB-1" data-line="5" checked>',
  ]);
  assert.match(html(text), /data-line="2" disabled>/);
  for (const none of ["[ ] a", "- [ ]", "- [ ]a", "- [y] a", "    - [ ] a", "```\n- [ ] a\n```"])
    assert.doesNotMatch(html(none), /<input/, none);
});

test("an uploaded image is shown, and others become links", () => {
  assert.equal(
    html("![Plan](/api/projects/1/reports/2/attachments/3)"),
    '<p dir="auto"><img src="/api/projects/1/reports/2/attachments/3" alt="Plan" loading="lazy"></p>',
  );
  for (const source of [
    "https://example.com/a.png",
    "/api/projects/1/issues",
    "/api/projects/1/attachments/3/../../../users",
    "//example.com/api/projects/1/attachments/3",
    "/api/projects/1/attachments/3?x=1",
  ])
    assert.doesNotMatch(html(`![x](${source})`), /<img/, source);
  assert.match(
    html("[log.txt](/api/projects/1/issues/2/attachments/3)"),
    /<a href="\/api\/projects\/1\/issues\/2/,
  );
  assert.equal(html("[![x](https://a.example/x.png)](https://b.example)").match(/<a/g)?.length, 1);
});

test("tables, strikethrough and named code are shown", () => {
  assert.match(
    html("|a|b|\n|-|:-:|\n|1|2|"),
    /^<div class="scroll"><table>[^]*<td align="center" dir="auto">2<\/td>[^]*<\/table>\n<\/div>$/,
  );
  assert.equal(html("~~old~~"), '<p dir="auto"><s>old</s></p>');
  assert.match(
    html('```TS "x"\na < b\n```'),
    /<pre><code class="language-ts">a &lt; b\n<\/code><\/pre><\/div>$/,
  );
  assert.match(html('```"><script>\na\n```'), /<pre><code>a\n<\/code><\/pre>/);
});
