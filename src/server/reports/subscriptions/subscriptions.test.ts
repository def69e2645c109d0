import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { useMailDelivery, PUBLIC } from "../../../../test/support/mail-delivery.ts";
import { openOutside, pathIn } from "../../../../test/support/subscriptions.ts";

const post = await useMailDelivery();
const { t } = post;
const outside = await openOutside(post);

const dismiss = async (url: string, category = "not-planned") => {
  const answer = await outside.admin.post(`${url}/dismiss`, { category });
  assert.equal(answer.status, 200, answer.text);
};

test("an author gets a mail that asks to confirm the address and contains nothing that the author wrote", async () => {
  await outside.report({ title: "BUY CHEAP WATCHES", email: "Kim@Example.com" });
  const [mail, ...more] = await outside.mails();
  assert.deepEqual(more, []);
  assert.deepEqual(mail?.recipients, ["kim@example.com"]);
  for (const form of [mail.subject, mail.text, mail.html, mail.raw])
    assert.doesNotMatch(form ?? "", /WATCHES|full before/);
  for (const action of ["confirm", "unsubscribe", "r"] as const) assert.ok(pathIn(mail, action));
  assert.doesNotMatch(mail.text ?? "", /\/mine\//, "the address is not confirmed");
});

test("looking at the links of a mail confirms nothing, and the button's request does", async () => {
  const report = await outside.report({ email: "look@example.com" });
  const [mail] = await outside.mails();
  for (const action of ["confirm", "unsubscribe"] as const) {
    await t.http.get(pathIn(mail, action));
    await t.http.get(`/api${pathIn(mail, action)}`);
  }
  await dismiss(report.url);
  assert.deepEqual(await outside.mails(), []);

  const second = await outside.report({ email: "button@example.com" });
  const confirm = `/api${pathIn((await outside.mails())[0], "confirm")}`;
  assert.equal((await t.http.post(confirm)).status, 204);
  assert.equal((await t.http.post(confirm)).status, 204, "repeated");
  await dismiss(second.url);
  assert.equal((await outside.mails()).length, 1);
});

test("confirming the author's address marks it as confirmed on the report", async () => {
  const report = await outside.report({ email: "author@example.com" });
  const isConfirmed = async () =>
    (
      await t.db
        .selectFrom("reports")
        .select("author_email_confirmed")
        .where("id", "=", report.id)
        .executeTakeFirstOrThrow()
    ).author_email_confirmed;
  await outside.confirm(report, "friend@example.com");
  assert.equal(await isConfirmed(), false);
  await outside.confirm(report, "AUTHOR@example.com".toLowerCase());
  assert.equal(await isConfirmed(), true);
});

test("every valid address gets the same response, and others get 422", async () => {
  const report = await outside.report();
  await outside.confirm(report, "same@example.com");
  for (const email of ["same@example.com", "SAME@example.com", "new@example.com"])
    await outside.subscribe(report, email);
  const to = (await outside.mails()).flatMap(({ recipients }) => recipients);
  assert.deepEqual(to, ["new@example.com"], "a confirmed address needs no further mail");
  for (const email of ["", "nobody", "a@b.c,d@e.f", "a@b\nBcc: c@d.e", `${"a".repeat(250)}@b.com`, 5, null]) {
    const answer = await t.http.post(`/api/r/${report.token}/subscription`, { email });
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["email"]], String(email));
  }
});

test("the subscription of an unknown status link returns 404", async () => {
  const answer = await t.http.post(`/api/r/${"A".repeat(22)}/subscription`, { email: "kim@example.com" });
  assert.equal(answer.status, 404);
});

test("an address gets at most three unconfirmed mails a day, from all reports together and in any case", async () => {
  const reports = await Promise.all(Array.from({ length: 5 }, () => outside.report()));
  await Promise.all(
    reports.flatMap((report) =>
      ["victim@example.com", "Victim@Example.COM"].map((email) => outside.subscribe(report, email)),
    ),
  );
  assert.equal((await outside.mails()).length, 3);
  await t.db
    .updateTable("mails")
    .set({ created_at: sql`created_at - interval '25 hours'` })
    .where("address", "=", "victim@example.com")
    .execute();
  await outside.report({ email: "victim@example.com" });
  assert.equal((await outside.mails()).length, 1);
});

test("a subscription belongs to one report: another report of a confirmed address needs a confirmation", async () => {
  const first = await outside.report();
  await outside.confirm(first, "once@example.com");
  const second = await outside.report({ title: "CLICK HERE", email: "once@example.com" });
  const [mail] = await outside.mails();
  assert.match(mail?.subject ?? "", /^Confirm your email address/);
  await dismiss(second.url);
  assert.deepEqual(await outside.mails(), []);
});

test("a link to confirm expires after seven days", async () => {
  const report = await outside.report({ email: "late@example.com" });
  const confirm = `/api${pathIn((await outside.mails())[0], "confirm")}`;
  const age = (interval: string) =>
    sql`update report_subscriptions set requested_at = clock_timestamp() - ${interval}::interval where report_id = ${report.id}`.execute(
      t.db,
    );
  await age("7 days 1 minute");
  assert.equal((await t.http.post(confirm)).status, 404);
  await age("6 days 23 hours");
  assert.equal((await t.http.post(confirm)).status, 204);
  await age("8 days");
  assert.equal((await t.http.post(confirm)).status, 204, "it is confirmed already");
});

test("unsubscribing takes one POST in either encoding, without cookies or redirects, as often as it is sent", async () => {
  const report = await outside.report();
  await outside.confirm(report, "gone@example.com");
  const reply = await outside.admin.post(`${report.url}/dismiss`, { category: "invalid" });
  assert.equal(reply.status, 200);
  const [mail] = await outside.mails();
  const headers = new Map(mail?.headers.map(({ key, value }) => [key, value]));
  assert.equal(headers.get("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
  const [, url = ""] = /^<(.*)>$/.exec(headers.get("list-unsubscribe") ?? "") ?? [];
  assert.equal(url, `${PUBLIC}/api${pathIn(mail, "unsubscribe")}`);
  const path = url.slice(PUBLIC.length);
  const bodies = [
    ["application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"],
    [
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
  ] as const;
  for (const [type, payload] of [...bodies, ...bodies]) {
    const answer = await t.http.send({
      method: "POST",
      url: path,
      payload,
      headers: { "content-type": type },
    });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers["set-cookie"], undefined);
  }
  assert.equal((await t.http.post(path)).status, 200, "without a body");
  assert.equal((await outside.admin.post(`${report.url}/restore`)).status, 200);
  await dismiss(report.url);
  assert.deepEqual(await outside.mails(), []);
  assert.equal((await t.http.post(`/api/subscriptions/${"A".repeat(22)}/unsubscribe`)).status, 404);
});

test("a GET of the address to unsubscribe leads to the page and changes nothing", async () => {
  const report = await outside.report();
  await outside.confirm(report, "stays@example.com");
  await dismiss(report.url);
  const [mail] = await outside.mails();
  const path = pathIn(mail, "unsubscribe");
  const answer = await t.http.get(`/api${path}`);
  assert.deepEqual([answer.status, answer.headers["location"]], [302, path]);
  assert.equal((await outside.admin.post(`${report.url}/restore`)).status, 200);
  await dismiss(report.url);
  assert.equal((await outside.mails()).length, 1);
});

test("subscribing again needs a new confirmation, and earlier links only unsubscribe", async () => {
  const report = await outside.report({ email: "again@example.com" });
  const [asked] = await outside.mails();
  const confirm = `/api${pathIn(asked, "confirm")}`;
  const unsubscribe = `/api${pathIn(asked, "unsubscribe")}`;
  assert.equal((await t.http.post(confirm)).status, 204);
  assert.equal((await t.http.post(unsubscribe)).status, 200);
  assert.equal((await t.http.post(confirm)).status, 404, "the link is from before");
  await outside.subscribe(report, "again@example.com");
  const [second] = await outside.mails();
  assert.equal((await t.http.post(unsubscribe)).status, 200);
  assert.equal((await t.http.post(`/api${pathIn(second, "confirm")}`)).status, 204);
  await dismiss(report.url);
  assert.equal((await outside.mails()).length, 1);
  assert.equal((await t.http.post(unsubscribe)).status, 200);
  assert.equal((await outside.admin.post(`${report.url}/restore`)).status, 200);
  await dismiss(report.url);
  assert.deepEqual(await outside.mails(), []);
});

test("a secret of one purpose is not one of another", async () => {
  const report = await outside.report({ email: "purpose@example.com" });
  const secret = pathIn((await outside.mails())[0], "confirm").split("/")[2];
  for (const [method, url] of [
    ["POST", `/api/r/${secret}/subscription`],
    ["GET", `/api/mine/${secret}`],
    ["POST", `/api/subscriptions/${report.token}/confirm`],
    ["POST", `/api/subscriptions/${report.token}/unsubscribe`],
  ] as const) {
    const payload = JSON.stringify({ email: "kim@example.com" });
    const headers = { "content-type": "application/json" };
    const answer = await t.http.send({ method, url, ...(method === "POST" && { payload, headers }) });
    assert.equal(answer.status, 404, url);
  }
});
