import assert from "node:assert/strict";
import { test } from "node:test";
import { PUBLIC, useMailDelivery } from "../../../test/support/mail-delivery.ts";

const post = await useMailDelivery();
const { queue, stored } = post;

test("an email is sent to its recipient as plain text and HTML, with a link to the comment", async () => {
  await queue({});
  await post.delivery.deliver();
  const [mail] = post.sink.mails;
  assert.ok(mail);
  assert.deepEqual(mail.recipients, [post.user.email]);
  assert.deepEqual(mail.to, [{ address: post.user.email, name: "" }]);
  assert.deepEqual(mail.from, { address: "signalbox@track.example.com", name: "Signalbox" });
  assert.equal(mail.subject, "WEB-12: The button does nothing");
  const link = `${PUBLIC}/projects/WEB/issues/WEB-12#comment-5`;
  for (const form of [mail.text ?? "", mail.html ?? ""]) {
    assert.ok(form.includes("Bea Lund mentioned you in a comment."));
    assert.ok(form.includes("Could you have a look?"));
    assert.ok(form.includes("Open the comment"));
    assert.ok(form.includes(link));
  }
  assert.equal(mail.html?.match(/<a /g)?.length, 2, "one button, one link to the preferences");
  const [row] = await stored();
  assert.deepEqual([row?.state, row?.attempts, row?.last_error], ["sent", 1, null]);
  assert.match(row?.sent_at ?? "", /^\d{4}-/);
});

test("an email shows the Markdown of an excerpt in HTML, and its words as text", async () => {
  const excerpt = [
    "**Bold** [link](https://example.com) WEB-7 OPS-7 #3",
    "![plan](/api/projects/1/issues/2/attachments/3) <script>alert(1)</script>",
    "- [x] done",
    "> quoted `code`",
    "|a|\n|:-:|\n|b|",
    `${"x".repeat(600)} **cut**`,
  ].join("\n\n");
  await queue({ lines: ["Bea commented.", "The words"], excerpt });
  await post.delivery.deliver();
  const [mail] = post.sink.mails;
  assert.ok(mail?.text?.startsWith("Bea commented.\n\nThe words\n\n"), mail?.text);
  const html = mail?.html ?? "";
  for (const part of [
    "<strong>Bold</strong>",
    '<a href="https://example.com"',
    `<a href="${PUBLIC}/projects/WEB/issues/WEB-7"`,
    " OPS-7 ",
    `<a href="${PUBLIC}/projects/WEB/reports/3"`,
    `<a href="${PUBLIC}/api/projects/1/issues/2/attachments/3"`,
    "&lt;script&gt;",
    "☑ done",
    "<blockquote style=",
    '<td style="text-align:center;border:',
    "xxx…</p>",
  ])
    assert.ok(html.includes(part), part);
  assert.doesNotMatch(html, /<script|<img|<input|<button|The words|cut</);
  assert.equal(html.match(/<blockquote/g)?.length, html.match(/<\/blockquote/g)?.length);
});

test("an email names the preference that turns it off, and links to it in the text and in a header", async () => {
  await queue({});
  await post.delivery.deliver();
  const [mail] = post.sink.mails;
  const page = `${PUBLIC}/settings/notifications`;
  for (const form of [mail?.text ?? "", mail?.html ?? ""]) {
    assert.ok(form.includes("“Mentions” is turned on"));
    assert.ok(form.includes(page));
  }
  const headers = new Map(mail?.headers.map(({ key, value }) => [key, value]));
  assert.equal(headers.get("list-unsubscribe"), `<${page}>`);
  assert.equal(headers.get("auto-submitted"), "auto-generated");
});

test("an email that no preference turns off names none", async () => {
  await queue({ user_id: null, to: "bea@example.com", preference: null });
  await post.delivery.deliver();
  const [mail] = post.sink.mails;
  assert.deepEqual(mail?.recipients, ["bea@example.com"]);
  assert.ok(!mail?.headers.some(({ key }) => key === "list-unsubscribe"));
  for (const form of [mail?.text ?? "", mail?.html ?? ""]) assert.ok(!form.includes("/settings/"));
});

test("an address that contains several is one recipient or none", async () => {
  await queue(
    { user_id: null, to: "bea@example.com,eve@elsewhere.test" },
    { user_id: null, to: "<eve@x.y>bea@z" },
  );
  await queue({ subject: "the next one" });
  await post.delivery.deliver();
  for (const mail of post.sink.mails) assert.equal(mail.recipients.length, 1);
  const recipients = new Set(post.sink.mails.flatMap((mail) => mail.recipients));
  for (const address of ["bea@example.com", "eve@elsewhere.test", "eve@x.y"])
    assert.ok(!recipients.has(address), address);
  assert.ok(recipients.has(post.user.email));
});

test("content cannot inject markup, headers, SMTP commands or recipients", async () => {
  const hostile = `<img src=x onerror="alert('1')">&amp;`;
  await queue({
    subject: `A\r\nBcc: eve@example.com\r\n\r\n${hostile}`,
    lines: [hostile, "\r\n.\r\nMAIL FROM:<eve@example.com>\r\n", "x".repeat(5_000), "ünïcödé 🚂"],
    button: { label: hostile, path: `/projects/WEB?q="><script>alert(1)</script>` },
  });
  await post.delivery.deliver();
  const [mail] = post.sink.mails;
  assert.deepEqual(mail?.recipients, [post.user.email]);
  assert.ok(!mail?.headers.some(({ key }) => key === "bcc"));
  assert.equal(mail?.subject, `A Bcc: eve@example.com ${hostile}`);
  assert.equal(post.sink.mails.length, 1);
  assert.ok(mail?.text?.includes("MAIL FROM:<eve@example.com>"));
  assert.doesNotMatch(mail?.html ?? "", /<img|<script/);
  assert.ok(mail?.html?.includes("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;"));
  assert.ok(mail?.text?.includes(hostile));
  assert.ok(mail?.text?.includes("ünïcödé 🚂"));
});
