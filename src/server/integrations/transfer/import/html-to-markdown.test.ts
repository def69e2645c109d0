import assert from "node:assert/strict";
import { test } from "node:test";
import { htmlToMarkdown } from "./html-to-markdown.ts";

const CASES: [title: string, html: string, markdown: string][] = [
  ["paragraphs", "<p>One</p><p>Two</p>", "One\n\nTwo"],
  ["headings", "<h1>A</h1><h3>B</h3>", "# A\n\n### B"],
  ["emphasis", "<p><b>a</b> <em>b</em> <s>c</s> <code>d`e</code></p>", "**a** _b_ ~~c~~ `d'e`"],
  ["line breaks", "<p>a<br>b</p>", "a  \nb"],
  ["line breaks at the start and the end", "<p><br>a<br></p><p>b</p>", "a  \n\nb"],
  ["images of Plane", '<p>a</p><image-component src="5e0c" id="1"></image-component>', "a\n\nImage"],
  ["rules of Plane", '<p>a</p><div data-type="horizontalRule"><div></div></div><p>b</p>', "a\n\n---\n\nb"],
  ["lists", "<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>", "- a\n- b\n  1. c"],
  ["text after a list", "<ul><li>a</li></ul><p>b</p>", "- a\n\nb"],
  [
    "tasks",
    '<ul data-type="taskList"><li data-checked="true"><p>a</p></li><li data-checked="false"><p>b</p></li></ul>',
    "- [x] a\n- [ ] b",
  ],
  ["quotes", "<blockquote><p>a</p><p>b</p></blockquote><p>c</p>", "> a\n>\n> b\n\nc"],
  ["code", "<pre><code>if (a &lt; b) {\n  c();\n}\n</code></pre>", "````\nif (a < b) {\n  c();\n}\n````"],
  ["links", '<a href="https://x.example/?a=1&amp;b">t</a>', "[t](https://x.example/?a=1&b)"],
  ["other schemes", '<a href="javascript:alert(1)">t</a><a href="data:x">u</a>', "tu"],
  ["images", '<img src="https://x.example/a.png" alt="plan">', "[Image: plan](https://x.example/a.png)"],
  ["rules", "<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"],
  ["scripts and styles", "<style>p{}</style><p>a</p><script>if (1 < 2) x()</script>b", "a\n\nb"],
  ["comments", "<p>a<!-- <b>no</b> -->b</p><!-- open", "ab"],
  ["syntax in text", "<p># a *b* [c] &lt;d&gt;</p>", "\\# a \\*b\\* \\[c\\] \\<d\\>"],
  ["a number at the start", "<p>1. a</p>", "1\\. a"],
  ["entities", "<p>&#228;&#xe4;&nbsp;&unknown; &#0;</p>", "ää &unknown; \uFFFD"],
  ["tags that are not closed", "<p>a <b>b <p>c <", "a \\*\\*b".replaceAll("\\", "") + "\n\nc \\<"],
  ["nothing", "", ""],
];

for (const [title, html, markdown] of CASES)
  test(`HTML becomes Markdown: ${title}`, () => assert.equal(htmlToMarkdown(html), markdown));

test("a mention becomes a name", () => {
  const mention = (id: string) => `<mention-component entity_identifier="${id}" entity_name="user_mention">`;
  const nameOf = (id: string) => (id === "7" ? "nora_f" : undefined);
  assert.equal(
    htmlToMarkdown(`<p>Ask ${mention("7")} or ${mention("8")}</p>`, nameOf),
    "Ask @nora\\_f or @somebody",
  );
});

for (const [title, part] of Object.entries({
  comments: "<!--",
  declarations: "<!",
  tags: "<a ",
  attributes: "<a aaaa",
  lists: "<ul><li>",
  quotes: "<blockquote>",
  entities: "&#1",
}))
  test(`HTML that repeats the start of ${title} is read in one pass`, () => {
    const short = htmlToMarkdown(part.repeat(1_000));
    assert.ok(short.length <= part.length * 2_000);
    htmlToMarkdown(part.repeat(50_000));
  });
