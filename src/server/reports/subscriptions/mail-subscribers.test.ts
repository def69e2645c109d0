import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { useMailDelivery, PUBLIC } from "../../../../test/support/mail-delivery.ts";
import { makeIngestKey } from "../../../../test/support/make.ts";
import { moveToLane, openOutside, pathIn, promote } from "../../../../test/support/subscriptions.ts";
import { notifyDoneReports } from "../../errors/releases/notify-done-reports.ts";

const post = await useMailDelivery();
const { t } = post;

const recipients = (mails: { recipients: string[] }[]) => mails.flatMap((mail) => mail.recipients).sort();

test("a report that is not planned is mailed to its confirmed subscribers, with the reason and without the note", async () => {
  const outside = await openOutside(post);
  const report = await outside.report({ email: "kim@example.com" });
  await outside.confirm(report, "kim@example.com");
  await outside.confirm(report, "bo@example.com");
  await outside.subscribe(report, "unconfirmed@example.com");
  await outside.mails();
  const body = { category: "invalid", note: "Kim is a nuisance" };
  assert.equal((await outside.admin.post(`${report.url}/dismiss`, body)).status, 200);
  const mails = await outside.mails();
  assert.deepEqual(recipients(mails), ["bo@example.com", "kim@example.com"]);
  for (const mail of mails) {
    assert.equal(mail.recipients.length, 1);
    assert.equal(mail.subject, "Not planned: “The cart is empty”");
    assert.match(mail.text ?? "", /We could not find a problem/);
    assert.doesNotMatch(mail.raw, /nuisance/);
    assert.equal(pathIn(mail, "r"), `/r/${report.token}`);
    for (const action of ["mine", "unsubscribe"] as const)
      assert.ok(mail.html?.includes(PUBLIC + pathIn(mail, action)));
  }
  assert.equal(new Set(mails.map((mail) => pathIn(mail, "mine"))).size, 2, "each address has its own page");
});

test("a duplicate of a report that is not planned is mailed when it is marked, and a person gets one mail", async () => {
  const outside = await openOutside(post);
  const [original, duplicate, indirect] = [
    await outside.report({ title: "First" }),
    await outside.report({ title: "Second", email: "kim@example.com" }),
    await outside.report({ title: "Third" }),
  ];
  for (const report of [original, duplicate, indirect]) await outside.confirm(report, "kim@example.com");
  await outside.confirm(indirect, "bo@example.com");
  const markAs = async (report: { url: string }, of: { id: number }) => {
    const body = { category: "duplicate", duplicate_of: { report_id: of.id } };
    assert.equal((await outside.admin.post(`${report.url}/dismiss`, body)).status, 200);
  };
  await markAs(duplicate, original);
  await markAs(indirect, duplicate);
  assert.deepEqual(await outside.mails(), [], "the original is still in the queue");
  const dismissed = await outside.admin.post(`${original.url}/dismiss`, { category: "not-planned" });
  assert.equal(dismissed.status, 200);
  const mails = await outside.mails();
  assert.deepEqual(
    mails.map((mail) => [mail.recipients[0], mail.subject, pathIn(mail, "r")]).sort(),
    [
      ["bo@example.com", "Not planned: “Third”", `/r/${indirect.token}`],
      ["kim@example.com", "Not planned: “Second”", `/r/${duplicate.token}`],
    ],
    "Kim gets the one about the report that she wrote",
  );
  const late = await outside.report({ title: "Fourth" });
  await outside.confirm(late, "ada@example.com");
  await markAs(late, indirect);
  assert.deepEqual(recipients(await outside.mails()), ["ada@example.com"]);
});

test("while a status link is revoked, nobody outside is mailed about the report, not even with a queued mail", async () => {
  const outside = await openOutside(post);
  const report = await outside.report({ email: "kim@example.com" });
  await outside.confirm(report, "kim@example.com");
  const setRevoked = (at: string | null) =>
    t.db.updateTable("reports").set({ link_revoked_at: at }).where("id", "=", report.id).execute();
  const dismiss = async () =>
    assert.equal((await outside.admin.post(`${report.url}/dismiss`, { category: "invalid" })).status, 200);
  const restore = async () => assert.equal((await outside.admin.post(`${report.url}/restore`)).status, 200);
  await setRevoked(new Date().toISOString());
  await dismiss();
  await restore();
  await setRevoked(null);
  assert.deepEqual(await outside.mails(), []);
  await dismiss();
  await restore();
  await setRevoked(new Date().toISOString());
  assert.deepEqual(await outside.mails(), []);
  await setRevoked(null);
  await dismiss();
  assert.equal((await outside.mails()).length, 1);
});

test("a done report is mailed once for good to its subscribers and those of its duplicates, in the project's words", async () => {
  const outside = await openOutside(post);
  const feedback = {
    done_subject: "{title} is in {release}",
    done_message: "Dear {name},\n{title} {release} {project}",
  };
  const patched = await outside.admin.patch(outside.path, {
    lifecycle: { ship_tells_reporters: true },
    feedback,
  });
  assert.equal(patched.status, 200, patched.text);
  const deploy = async (version: string) =>
    assert.ok((await outside.admin.post(`${outside.path}/releases`, { version })).status < 300);
  await deploy("4.12.0");
  const report = await outside.report({ title: "Kim's {project} <b>\u202e", email: "kim@example.com" });
  await outside.confirm(report, "kim@example.com");
  const duplicate = await outside.report({ title: "Bo's" });
  await outside.confirm(duplicate, "bo@example.com");
  await outside.confirm(duplicate, "kim@example.com");
  const body = { category: "duplicate", duplicate_of: { report_id: report.id } };
  assert.equal((await outside.admin.post(`${duplicate.url}/dismiss`, body)).status, 200);
  const issueId = await promote(outside.admin, outside.path, report.id);
  const mailsOfJobs = async () => {
    await Promise.all(Array.from({ length: 4 }, () => notifyDoneReports(t.db)));
    return outside.mails();
  };
  await moveToLane(outside, issueId, "doing");
  await moveToLane(outside, issueId, "done");
  assert.deepEqual(await mailsOfJobs(), [], "nothing was released since");
  await deploy("4.13.0");
  const mails = await mailsOfJobs();
  const { name } = (await outside.admin.get(outside.path)).body;
  assert.deepEqual(mails.map((mail) => [mail.recipients[0], mail.subject]).sort(), [
    ["bo@example.com", "Bo's is in 4.13.0"],
    ["kim@example.com", "Kim's {project} <b>\u202e is in 4.13.0"],
  ]);
  const kims = mails.find((mail) => mail.recipients[0] === "kim@example.com");
  assert.ok(kims?.text?.startsWith(`Dear {name},\nKim's {project} <b>\u202e 4.13.0 ${name}\n`), kims?.text);
  assert.ok(kims?.html?.includes("Kim&#39;s {project} &lt;b&gt;"));
  await moveToLane(outside, issueId, "todo");
  await moveToLane(outside, issueId, "done");
  await deploy("4.14.0");
  assert.deepEqual(await mailsOfJobs(), []);
});

test("without the setting no subscriber is mailed that a report is done, also if it is turned on later", async () => {
  const outside = await openOutside(post);
  const report = await outside.report({ email: "kim@example.com" });
  await outside.confirm(report, "kim@example.com");
  await moveToLane(outside, await promote(outside.admin, outside.path, report.id), "done");
  await notifyDoneReports(t.db);
  await outside.admin.patch(outside.path, { lifecycle: { ship_tells_reporters: true } });
  await notifyDoneReports(t.db);
  assert.deepEqual(await outside.mails(), []);
});

test("the default text of a done report reads well without a release", async () => {
  const outside = await openOutside(post);
  await outside.admin.patch(outside.path, { lifecycle: { ship_tells_reporters: true } });
  const report = await outside.report({ email: "kim@example.com" });
  await outside.confirm(report, "kim@example.com");
  await moveToLane(outside, await promote(outside.admin, outside.path, report.id), "done");
  await notifyDoneReports(t.db);
  const [mail] = await outside.mails();
  assert.equal(mail?.subject, "Done: The cart is empty");
  assert.doesNotMatch(mail.text ?? "", /[{}]|null|undefined/);
});

test("a report from outside that names an address subscribes it, and a signed address needs no confirmation", async () => {
  const outside = await openOutside(post);
  const key = await makeIngestKey(t.db, outside.id);
  const { secret } = (await outside.admin.post(`${outside.path}/feedback/identity-secret`)).body;
  const { createHmac } = await import("node:crypto");
  const author_signature = createHmac("sha256", secret).update("kim@example.com").digest("hex");
  const send = (body: object) =>
    t.http.as(key).post(`${outside.path}/feedback`, { description: "Empty", ...body });
  const sent = await send({ author_email: "Kim@example.com", author_signature });
  assert.equal(sent.status, 201, sent.text);
  assert.deepEqual(await outside.mails(), []);
  await send({ author_email: "Bo@example.com" });
  assert.match((await outside.mails())[0]?.subject ?? "", /^Confirm/);
  const url = `${outside.path}/reports/${sent.body.id}`;
  assert.equal((await outside.admin.post(`${url}/dismiss`, { category: "not-planned" })).status, 200);
  assert.deepEqual(recipients(await outside.mails()), ["kim@example.com"]);
});

test("my reports lists the reports of a confirmed address with their states, and no others", async () => {
  const outside = await openOutside(post);
  const kim = "kim@example.com";
  const first = await outside.report({ title: "Dismissed", email: kim });
  await outside.confirm(first, kim);
  const second = await outside.report({ title: "Planned", email: kim });
  await outside.confirm(second, kim);
  await outside.report({ title: "Someone else used the address", email: kim });
  const revoked = await outside.report({ title: "Revoked", email: kim });
  await outside.confirm(revoked, kim);
  await sql`update reports set link_revoked_at = now() where id = ${revoked.id}`.execute(t.db);
  await outside.confirm(await outside.report({ title: "Bo's" }), "bo@example.com");
  await outside.mails();
  await promote(outside.admin, outside.path, second.id);
  await outside.admin.post(`${first.url}/dismiss`, { category: "not-planned" });
  const [mail] = await outside.mails();
  const page = `/api${pathIn(mail, "mine")}`;
  const answer = await t.http.get(page);
  assert.equal(answer.status, 200, answer.text);
  const { name } = (await outside.admin.get(outside.path)).body;
  assert.deepEqual(answer.body.project, { name });
  assert.deepEqual(
    answer.body.data.map(({ title, state, url }: Record<string, string>) => [
      title,
      state,
      url?.split("/r/")[1],
    ]),
    [
      ["Planned", "planned", second.token],
      ["Dismissed", "not_planned", first.token],
    ],
  );
  const [, , secret = ""] = page.split("/mine").join("").split("/");
  assert.equal((await t.http.get(`/api/mine/${secret.slice(1)}A`)).status, 404);
});
