import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { pino } from "pino";
import { eventually } from "../../../test/support/eventually.ts";
import { makeUser, makeWorkspace, type TestUser } from "../../../test/support/make.ts";
import { openSmtpSink, type SmtpSink } from "../../../test/support/smtp-sink.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { MailDelivery } from "./delivery.ts";
import { deleteOldMails } from "./outbox.ts";
import { queueMails, type NewMail } from "./queue-mail.ts";
import { mailJobs } from "../operations/jobs/mail-jobs.ts";
import { runJobs } from "../operations/jobs/run-jobs.ts";

const PUBLIC = "https://track.example.com";

let sink: SmtpSink;
let user: TestUser;
let delivery: MailDelivery;
const t = await useTestApp();
const workspaceId = (await makeWorkspace(t.db)).id;
beforeEach(async (context) => {
  await t.db.deleteFrom("mails").execute();
  sink = await openSmtpSink();
  delivery = new MailDelivery(t.db, sink.settings, () => PUBLIC);
  user = await makeUser(t.db);
  const opened = [sink, delivery];
  (context as { after(work: () => Promise<void>): void }).after(async () => {
    for (const one of opened) await one.close();
  });
});

const aMail = (overrides: Partial<NewMail> = {}): NewMail => ({
  workspace_id: workspaceId,
  user_id: user.id,
  subject: "WEB-12: The button does nothing",
  lines: ["Bea Lund mentioned you in a comment.", "Could you have a look?"],
  button: { label: "Open the comment", path: "/projects/WEB/issues/WEB-12#comment-5" },
  preference: "notify_mentions",
  ...overrides,
});

const queue = (...mails: Partial<NewMail>[]) =>
  t.db.transaction().execute((tx) => queueMails(tx, mails.map(aMail)));

const stored = () => t.db.selectFrom("mails").selectAll().orderBy("id").execute();
const makeDue = () =>
  t.db
    .updateTable("mails")
    .set({ due_at: sql`now()` })
    .execute();

test("an email is sent to its recipient as plain text and HTML, with a link to the comment", async () => {
  await queue({});
  await delivery.deliver();
  const [mail] = sink.mails;
  assert.ok(mail);
  assert.deepEqual(mail.recipients, [user.email]);
  assert.deepEqual(mail.to, [{ address: user.email, name: "" }]);
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
  await delivery.deliver();
  const [mail] = sink.mails;
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
  await delivery.deliver();
  const [mail] = sink.mails;
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
  await delivery.deliver();
  const [mail] = sink.mails;
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
  await delivery.deliver();
  for (const mail of sink.mails) assert.equal(mail.recipients.length, 1);
  const recipients = new Set(sink.mails.flatMap((mail) => mail.recipients));
  for (const address of ["bea@example.com", "eve@elsewhere.test", "eve@x.y"])
    assert.ok(!recipients.has(address), address);
  assert.ok(recipients.has(user.email));
});

test("content cannot inject markup, headers, SMTP commands or recipients", async () => {
  const hostile = `<img src=x onerror="alert('1')">&amp;`;
  await queue({
    subject: `A\r\nBcc: eve@example.com\r\n\r\n${hostile}`,
    lines: [hostile, "\r\n.\r\nMAIL FROM:<eve@example.com>\r\n", "x".repeat(5_000), "ünïcödé 🚂"],
    button: { label: hostile, path: `/projects/WEB?q="><script>alert(1)</script>` },
  });
  await delivery.deliver();
  const [mail] = sink.mails;
  assert.deepEqual(mail?.recipients, [user.email]);
  assert.ok(!mail?.headers.some(({ key }) => key === "bcc"));
  assert.equal(mail?.subject, `A Bcc: eve@example.com ${hostile}`);
  assert.equal(sink.mails.length, 1);
  assert.ok(mail?.text?.includes("MAIL FROM:<eve@example.com>"));
  assert.doesNotMatch(mail?.html ?? "", /<img|<script/);
  assert.ok(mail?.html?.includes("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;"));
  assert.ok(mail?.text?.includes(hostile));
  assert.ok(mail?.text?.includes("ünïcödé 🚂"));
});

test("an email is sent to the user's current address, and not to a deleted user", async () => {
  const gone = await makeUser(t.db);
  await queue({}, { user_id: gone.id });
  await t.db
    .updateTable("users")
    .set({ email: `new-${user.email}` })
    .where("id", "=", user.id)
    .execute();
  await t.db.deleteFrom("users").where("id", "=", gone.id).execute();
  await delivery.deliver();
  assert.deepEqual(
    sink.mails.map((mail) => mail.recipients),
    [[`new-${user.email}`]],
  );
});

test("an email queued in a transaction that is rolled back is not stored", async () => {
  const failing = t.db.transaction().execute(async (tx) => {
    await queueMails(tx, [aMail()]);
    throw new Error("rolled back");
  });
  await assert.rejects(failing, /rolled back/);
  assert.deepEqual(await stored(), []);
});

test("emails to a thousand recipients are queued with one statement", async () => {
  const statements: string[] = [];
  const counting = t.db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const many = Array.from({ length: 1_000 }, () => aMail());
  await counting.transaction().execute((tx) => queueMails(tx, many));
  assert.deepEqual(statements, ["RawNode"]);
  assert.equal((await stored()).length, 1_000);
});

test("an email is retried after a temporary error", async () => {
  sink.answer = () => "451 Try again later";
  await queue({});
  await delivery.deliver();
  const [waiting] = await stored();
  assert.deepEqual([waiting?.state, waiting?.attempts], ["queued", 1]);
  assert.match(waiting?.last_error ?? "", /^451 .*Try again later/);
  assert.ok(Date.parse(waiting?.due_at ?? "") > Date.now() + 15_000, "not due at once");
  await delivery.deliver();
  assert.equal(sink.refused.length, 1);
  sink.answer = () => undefined;
  await makeDue();
  await delivery.deliver();
  assert.deepEqual(
    (await stored()).map(({ state, attempts, last_error }) => [state, attempts, last_error]),
    [["sent", 2, null]],
  );
  assert.equal(sink.mails[0]?.messageId, sink.refused[0]?.messageId);
});

test("retries back off up to four hours, and the tenth attempt is the last", async () => {
  sink.answer = () => "451 Try again later";
  await queue({});
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt++) {
    await makeDue();
    await delivery.deliver();
    const [row] = await stored();
    assert.equal(row?.state, attempt < 10 ? "queued" : "failed");
    pauses.push(Math.round((Date.parse(row?.due_at ?? "") - Date.now()) / 10_000) * 10);
  }
  assert.deepEqual(pauses, [30, 120, 480, 1920, 7680, 14400, 14400, 14400, 14400, 14400]);
  await makeDue();
  await delivery.deliver();
  assert.equal(sink.refused.length, 10);
});

test("a permanent error fails the email at once, with the server's message", async () => {
  sink.answer = (mail) => (mail.recipients[0] === user.email ? "550 No such mailbox" : undefined);
  await queue({}, { user_id: null, to: "bea@example.com" });
  await delivery.deliver();
  await makeDue();
  await delivery.deliver();
  assert.deepEqual(
    (await stored()).map(({ state, attempts, last_error }) => [state, attempts, last_error?.slice(0, 19)]),
    [
      ["failed", 1, "550 No such mailbox"],
      ["sent", 1, undefined],
    ],
  );
  assert.equal(sink.refused.length, 1);
});

test("if the mail server cannot be reached, all emails stay queued", async () => {
  await queue({}, {}, {}, {}, {});
  await sink.close();
  await delivery.deliver();
  const rows = await stored();
  assert.deepEqual(new Set(rows.map((row) => row.state)), new Set(["queued"]));
  assert.ok(rows.filter((row) => row.attempts > 0).length <= 2, "the others were not even tried");
  assert.match(rows.find((row) => row.attempts > 0)?.last_error ?? "", /ECONNREFUSED/);
});

test("an email to a mail server that says nothing stays queued, and does not delay a stop", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const smtp = { ...sink.settings.smtp, port };
  const times = { sendMs: 60_000, stopMs: 50, recordMs: 0 };
  const sending = new MailDelivery(t.db, { ...sink.settings, smtp }, () => PUBLIC, times);
  await queue({});
  const stop = new AbortController();
  const connected = once(silent, "connection");
  const delivered = sending.deliver(stop.signal);
  const [socket] = (await connected) as [Socket];
  stop.abort();
  await delivered;
  const [mail] = await stored();
  assert.deepEqual([mail?.state, mail?.last_error], ["queued", "The mail server did not answer in time."]);
  sending.close();
  socket.destroy();
  silent.close();
});

test("if the mail server rejects the password, emails stay queued and the error does not contain it", async () => {
  const closed = await openSmtpSink({ password: "correct" });
  const { smtp, from } = closed.settings;
  const wrong = { from, smtp: { ...smtp, auth: { user: "signalbox", pass: "hunter2-secret" } } };
  await queue({});
  const refusing = new MailDelivery(t.db, wrong, () => PUBLIC);
  await refusing.deliver();
  const [row] = await stored();
  assert.equal(row?.state, "queued");
  assert.match(row?.last_error ?? "", /^535 .*wrong credentials/);
  assert.doesNotMatch(row?.last_error ?? "", /hunter2-secret/);
  await makeDue();
  const right = new MailDelivery(t.db, closed.settings, () => PUBLIC);
  await right.deliver();
  assert.equal(closed.mails.length, 1);
  refusing.close();
  right.close();
  await closed.close();
});

test("after a crash between sending and recording it, the email is sent again with the same Message-ID", async () => {
  await sql`create function crash() returns trigger language plpgsql as
    $$ begin raise exception 'the process died here'; end $$`.execute(t.db);
  await sql`create trigger crash before update on mails for each row when (new.state = 'sent') execute function crash()`.execute(
    t.db,
  );
  await queue({});
  await assert.rejects(delivery.deliver(), /the process died here/);
  await sql`drop trigger crash on mails`.execute(t.db);
  await delivery.deliver();
  assert.equal(sink.mails.length, 1, "its lease has not expired");
  await makeDue();
  await delivery.deliver();
  assert.equal(sink.mails.length, 2);
  assert.equal(sink.mails[0]?.messageId, sink.mails[1]?.messageId);
  assert.match(sink.mails[0]?.messageId ?? "", /^<[0-9a-f-]{36}@track\.example\.com>$/);
  assert.equal((await stored())[0]?.state, "sent");
});

test("an email that was accepted while the database failed over is not sent again", async () => {
  await sql`create sequence attempts`.execute(t.db);
  await sql`create function be_away() returns trigger language plpgsql as
    $$ begin perform nextval('attempts'); raise exception 'shutting down' using errcode = '57P01'; end $$`.execute(
    t.db,
  );
  await sql`create trigger be_away before update on mails for each row when (new.state = 'sent') execute function be_away()`.execute(
    t.db,
  );
  await queue({});
  const delivered = delivery.deliver();
  const attempts = async () =>
    (await sql<{ n: number }>`select last_value::int as n from attempts`.execute(t.db)).rows[0]?.n;
  await eventually(attempts, 2);
  await sql`drop trigger be_away on mails`.execute(t.db);
  await delivered;
  await makeDue();
  await delivery.deliver();
  assert.equal(sink.mails.length, 1);
  assert.equal((await stored())[0]?.state, "sent");
});

test("two concurrent senders send each email once", async () => {
  const second = new MailDelivery(t.db, sink.settings, () => PUBLIC);
  const recipients = Array.from({ length: 40 }, (_, index) => `person${index}@example.com`);
  await queue(...recipients.map((to) => ({ user_id: null, to })));
  await Promise.all([delivery.deliver(), second.deliver()]);
  second.close();
  assert.deepEqual(sink.mails.flatMap((mail) => mail.recipients).sort(), recipients.toSorted());
  assert.equal(new Set(sink.mails.map((mail) => mail.messageId)).size, 40);
});

test("the background job sends emails that are queued while it runs, and stops", async () => {
  const log = pino({ level: "silent" });
  const sending = runJobs(mailJobs(t.db, delivery, 10), { pool: t.database.pool, log });
  await queue({});
  await sink.waitForMails(1);
  await queue({});
  await sink.waitForMails(2);
  await sending.stop();
  assert.deepEqual(
    (await stored()).map((row) => row.state),
    ["sent", "sent"],
  );
});

test("emails older than the retention window are deleted", async () => {
  await queue({ subject: "old" }, { subject: "new" });
  await sql`update mails set created_at = now() - interval '91 days' where subject = 'old'`.execute(t.db);
  assert.equal(await deleteOldMails(t.db, 90), 1);
  assert.deepEqual(
    (await stored()).map((row) => row.subject),
    ["new"],
  );
});

test("emails that are due in days because the clock was set back are sent within minutes", async () => {
  await queue({ subject: "Queued before" }, { subject: "To be retried in four hours" });
  const setDue = (subject: string, interval: string) =>
    t.db
      .updateTable("mails")
      .set({ due_at: sql`clock_timestamp() + ${interval}::interval` })
      .where("subject", "=", subject)
      .execute();
  await setDue("Queued before", "2 days");
  await setDue("To be retried in four hours", "4 hours");
  await delivery.deliver();
  assert.equal(sink.mails.length, 0, "another process may be sending it");
  await sql`update mails set due_at = due_at - interval '3 minutes'`.execute(t.db);
  await delivery.deliver();
  assert.deepEqual(
    sink.mails.map((mail) => mail.subject),
    ["Queued before"],
  );
});
