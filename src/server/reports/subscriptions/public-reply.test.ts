import assert from "node:assert/strict";
import { test } from "node:test";
import { png } from "../../../../test/support/images.ts";
import { upload } from "../../../../test/support/multipart.ts";
import { useMailDelivery, PUBLIC } from "../../../../test/support/mail-delivery.ts";
import { openOutside, pathIn } from "../../../../test/support/subscriptions.ts";

const post = await useMailDelivery();
const { t } = post;

test("a public reply is mailed once to each confirmed address, under the first name and with its whole text", async () => {
  const outside = await openOutside(post);
  const report = await outside.report({ email: "kim@example.com" });
  await outside.confirm(report, "kim@example.com");
  await outside.confirm(report, "bo@example.com");
  await outside.subscribe(report, "unconfirmed@example.com");
  await outside.mails();
  const comments = `${report.url}/comments`;
  const content = `**Thank you**, <b>${"long ".repeat(1_900)}end`;
  const made = await outside.admin.post(comments, { content, is_public: true });
  assert.equal(made.status, 201, made.text);
  const mails = await outside.mails();
  assert.deepEqual(mails.map((mail) => mail.recipients).sort(), [["bo@example.com"], ["kim@example.com"]]);
  const kims = mails.find((mail) => mail.recipients[0] === "kim@example.com");
  assert.equal(kims?.subject, "Ada replied: “The cart is empty”");
  assert.doesNotMatch(kims.raw, /Moss/, "the last name");
  assert.ok(kims.text?.includes("Thank you, <b>long") && kims.text.includes("long end"), kims.text);
  assert.ok(
    kims.html?.includes("<strong>Thank you</strong>, &lt;b&gt;long") && kims.html.includes("long end"),
  );
  assert.equal(pathIn(kims, "r"), `/r/${report.token}`);
  assert.ok(kims.html?.includes(`${PUBLIC}/r/${report.token}`));

  const { id } = made.body;
  assert.equal((await outside.admin.put(`${comments}/${id}`, { content: "Edited" })).status, 200);
  assert.equal((await outside.admin.delete(`${comments}/${id}`)).status, 204);
  assert.deepEqual(await outside.mails(), [], "edits and deletions reach the page, not the mailbox");
});

test("an image in a public reply is linked with its address behind the status link", async () => {
  const outside = await openOutside(post);
  const report = await outside.report();
  await outside.confirm(report, "kim@example.com");
  const file = { name: "file", filename: "fixed.png", content: await png(10, 20) };
  const { id } = (await upload(outside.admin, `${report.url}/attachments`, [file])).body;
  const content = `![Now](${report.url}/attachments/${id}/download)`;
  const body = { content, is_public: true, attachment_ids: [id] };
  const reply = await outside.admin.post(`${report.url}/comments`, body);
  assert.equal(reply.status, 201, reply.text);
  const html = (await outside.mails())[0]?.html ?? "";
  const address = `/api/r/${report.token}/images/${reply.body.id}-1`;
  assert.ok(html.includes(`<a href="${PUBLIC}${address}"`), html);
  assert.doesNotMatch(html, /api\/projects/);
  assert.equal((await t.http.get(address)).status, 200);
});

test("internal comments and messages of the reporter are not mailed to people outside", async () => {
  const outside = await openOutside(post);
  const report = await outside.report();
  await outside.confirm(report, "kim@example.com");
  assert.equal((await outside.admin.post(`${report.url}/comments`, { content: "Internal" })).status, 201);
  const message = await t.http.post(`/api/r/${report.token}/messages`, { content: "Hello?" });
  assert.equal(message.status, 201, message.text);
  const addresses = (await outside.mails()).flatMap((mail) => mail.recipients);
  assert.ok(!addresses.includes("kim@example.com"));
});

test("deleting a report deletes its subscriptions and the mails to them", async () => {
  const outside = await openOutside(post);
  const report = await outside.report();
  await outside.confirm(report, "deleted@example.com");
  const reply = { content: "Too late", is_public: true };
  assert.equal((await outside.admin.post(`${report.url}/comments`, reply)).status, 201);
  assert.equal((await outside.admin.delete(report.url)).status, 204);
  assert.deepEqual(await outside.mails(), []);
  for (const table of ["mails", "report_subscriptions"] as const) {
    const { rows } = await t.database.pool.query(
      `select from ${table} where to_jsonb(${table})::text like '%deleted@example.com%'`,
    );
    assert.equal(rows.length, 0, table);
  }
});

test("an email to a deleted project's subscribers is not sent", async () => {
  const outside = await openOutside(post);
  const report = await outside.report();
  await outside.confirm(report, "kim@example.com");
  await outside.admin.post(`${report.url}/comments`, { content: "Too late", is_public: true });
  await t.db
    .updateTable("projects")
    .set({ deleted_at: new Date().toISOString() })
    .where("id", "=", outside.id)
    .execute();
  assert.deepEqual(await outside.mails(), []);
});
