import assert from "node:assert/strict";
import { test } from "node:test";
import { useMailDelivery } from "../../../../test/support/mail-delivery.ts";
import { openOutside, pathIn } from "../../../../test/support/subscriptions.ts";

const post = await useMailDelivery();
const { t } = post;
const outside = await openOutside(post);

test("the pages to confirm and to unsubscribe have one form, whose address is that of the API", async () => {
  await outside.report({ email: "kim@example.com" });
  const [mail] = await outside.mails();
  for (const action of ["confirm", "unsubscribe"] as const) {
    const path = pathIn(mail, action);
    const page = await t.http.get(path);
    assert.equal(page.status, 200);
    assert.match(String(page.headers["content-type"]), /^text\/html/);
    for (const [name, value] of [
      ["cache-control", "no-store"],
      ["referrer-policy", "no-referrer"],
    ] as const)
      assert.equal(page.headers[name], value);
    assert.equal(page.text.match(/<form/g)?.length, 1);
    assert.ok(page.text.includes(`<form method="post" action="/api${path}"`), page.text);
    assert.ok(page.text.includes("kim@example.com"));
  }
});

test("a browser without JavaScript that unsubscribes gets a page in words", async () => {
  await outside.report({ email: "jo@example.com" });
  const [mail] = await outside.mails();
  const done = await t.http.send({
    method: "POST",
    url: `/api${pathIn(mail, "unsubscribe")}`,
    headers: {
      accept: "text/html,application/xhtml+xml,*/*;q=0.8",
      "content-type": "application/x-www-form-urlencoded",
    },
    payload: "",
  });
  assert.deepEqual([done.status, done.headers["content-type"]], [200, "text/html; charset=utf-8"]);
  assert.match(done.text, /<h1>You are unsubscribed\.<\/h1>/);
});

test("the page of someone's reports shows their titles as text, with links to their status pages", async () => {
  const report = await outside.report({ title: `<img src=x onerror="alert(1)">`, email: "bo@example.com" });
  await outside.confirm(report, "bo@example.com");
  await outside.admin.post(`${report.url}/dismiss`, { category: "invalid" });
  const [mail] = await outside.mails();
  const page = await t.http.get(pathIn(mail, "mine"));
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.text, /<img/);
  assert.ok(page.text.includes("&lt;img src=x"));
  assert.ok(page.text.includes(`/r/${report.token}"`));
});

test("a page with an unknown secret is a page that says so", async () => {
  const secret = "A".repeat(22);
  for (const path of [
    `/subscriptions/${secret}/confirm`,
    `/subscriptions/${secret}/unsubscribe`,
    `/mine/${secret}`,
  ]) {
    const page = await t.http.get(path);
    assert.equal(page.status, 404, path);
    assert.match(page.text, /There is nothing here/);
  }
});
