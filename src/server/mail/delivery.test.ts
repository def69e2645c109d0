import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";
import { sql } from "kysely";
import { pino } from "pino";
import { eventually } from "../../../test/support/eventually.ts";
import { PUBLIC, useMailDelivery } from "../../../test/support/mail-delivery.ts";
import { makeUser } from "../../../test/support/make.ts";
import { openSmtpSink } from "../../../test/support/smtp-sink.ts";
import { MailDelivery } from "./delivery.ts";
import { deleteOldMails } from "./outbox.ts";
import { queueMails } from "./queue-mail.ts";
import { mailJobs } from "../jobs/mail-jobs.ts";
import { runJobs } from "../jobs/run-jobs.ts";

const post = await useMailDelivery();
const { t, aMail, queue, stored, makeDue } = post;

test("an email is sent to the user's current address, and not to a deleted user", async () => {
  const gone = await makeUser(t.db);
  await queue({}, { user_id: gone.id });
  await t.db
    .updateTable("users")
    .set({ email: `new-${post.user.email}` })
    .where("id", "=", post.user.id)
    .execute();
  await t.db.deleteFrom("users").where("id", "=", gone.id).execute();
  await post.delivery.deliver();
  assert.deepEqual(
    post.sink.mails.map((mail) => mail.recipients),
    [[`new-${post.user.email}`]],
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
  post.sink.answer = () => "451 Try again later";
  await queue({});
  await post.delivery.deliver();
  const [waiting] = await stored();
  assert.deepEqual([waiting?.state, waiting?.attempts], ["queued", 1]);
  assert.match(waiting?.last_error ?? "", /^451 .*Try again later/);
  assert.ok(Date.parse(waiting?.due_at ?? "") > Date.now() + 15_000, "not due at once");
  await post.delivery.deliver();
  assert.equal(post.sink.refused.length, 1);
  post.sink.answer = () => undefined;
  await makeDue();
  await post.delivery.deliver();
  assert.deepEqual(
    (await stored()).map(({ state, attempts, last_error }) => [state, attempts, last_error]),
    [["sent", 2, null]],
  );
  assert.equal(post.sink.mails[0]?.messageId, post.sink.refused[0]?.messageId);
});

test("retries back off up to four hours, and the tenth attempt is the last", async () => {
  post.sink.answer = () => "451 Try again later";
  await queue({});
  for (const [index, seconds] of [30, 120, 480, 1920, 7680, 14400, 14400, 14400, 14400, 14400].entries()) {
    await makeDue();
    const before = Date.now();
    await post.delivery.deliver();
    const [row] = await stored();
    assert.equal(row?.state, index < 9 ? "queued" : "failed");
    // The pause began between these two times.
    const due = Date.parse(row?.due_at ?? "");
    const [least, most] = [(due - Date.now()) / 1_000, (due - before) / 1_000];
    assert.ok(least <= seconds && seconds <= most, `${least} to ${most} s instead of ${seconds} s`);
  }
  await makeDue();
  await post.delivery.deliver();
  assert.equal(post.sink.refused.length, 10);
});

test("a permanent error fails the email at once, with the server's message", async () => {
  post.sink.answer = (mail) => (mail.recipients[0] === post.user.email ? "550 No such mailbox" : undefined);
  await queue({}, { user_id: null, to: "bea@example.com" });
  await post.delivery.deliver();
  await makeDue();
  await post.delivery.deliver();
  assert.deepEqual(
    (await stored()).map(({ state, attempts, last_error }) => [state, attempts, last_error?.slice(0, 19)]),
    [
      ["failed", 1, "550 No such mailbox"],
      ["sent", 1, undefined],
    ],
  );
  assert.equal(post.sink.refused.length, 1);
});

test("if the mail server cannot be reached, all emails stay queued", async () => {
  await queue({}, {}, {}, {}, {});
  await post.sink.close();
  await post.delivery.deliver();
  const rows = await stored();
  assert.deepEqual(new Set(rows.map((row) => row.state)), new Set(["queued"]));
  assert.ok(rows.filter((row) => row.attempts > 0).length <= 2, "the others were not even tried");
  assert.match(rows.find((row) => row.attempts > 0)?.last_error ?? "", /ECONNREFUSED/);
});

test("an email to a mail server that says nothing stays queued, and does not delay a stop", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const smtp = { ...post.sink.settings.smtp, port };
  const times = { sendMs: 60_000, stopMs: 50, recordMs: 0 };
  const sending = new MailDelivery(t.db, { ...post.sink.settings, smtp }, () => PUBLIC, times);
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
  await assert.rejects(post.delivery.deliver(), /the process died here/);
  await sql`drop trigger crash on mails`.execute(t.db);
  await post.delivery.deliver();
  assert.equal(post.sink.mails.length, 1, "its lease has not expired");
  await makeDue();
  await post.delivery.deliver();
  assert.equal(post.sink.mails.length, 2);
  assert.equal(post.sink.mails[0]?.messageId, post.sink.mails[1]?.messageId);
  assert.match(post.sink.mails[0]?.messageId ?? "", /^<[0-9a-f-]{36}@track\.example\.com>$/);
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
  const delivered = post.delivery.deliver();
  const attempts = async () =>
    (await sql<{ n: number }>`select last_value::int as n from attempts`.execute(t.db)).rows[0]?.n;
  await eventually(attempts, 2);
  await sql`drop trigger be_away on mails`.execute(t.db);
  await delivered;
  await makeDue();
  await post.delivery.deliver();
  assert.equal(post.sink.mails.length, 1);
  assert.equal((await stored())[0]?.state, "sent");
});

test("two concurrent senders send each email once", async () => {
  const second = new MailDelivery(t.db, post.sink.settings, () => PUBLIC);
  const recipients = Array.from({ length: 40 }, (_, index) => `person${index}@example.com`);
  await queue(...recipients.map((to) => ({ user_id: null, to })));
  await Promise.all([post.delivery.deliver(), second.deliver()]);
  second.close();
  assert.deepEqual(post.sink.mails.flatMap((mail) => mail.recipients).sort(), recipients.toSorted());
  assert.equal(new Set(post.sink.mails.map((mail) => mail.messageId)).size, 40);
});

test("the background job sends emails that are queued while it runs, and stops", async () => {
  const log = pino({ level: "silent" });
  const sending = runJobs(mailJobs(t.db, post.delivery, { pauseMs: 10, retentionDays: 90 }), {
    pool: t.database.pool,
    db: t.db,
    log,
  });
  await queue({});
  await post.sink.waitForMails(1);
  await queue({});
  await post.sink.waitForMails(2);
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
  await post.delivery.deliver();
  assert.equal(post.sink.mails.length, 0, "another process may be sending it");
  await sql`update mails set due_at = due_at - interval '3 minutes'`.execute(t.db);
  await post.delivery.deliver();
  assert.deepEqual(
    post.sink.mails.map((mail) => mail.subject),
    ["Queued before"],
  );
});

test("a user is sent at most 60 notifications within an hour; other emails are still sent", async () => {
  await queue(...Array.from({ length: 60 }, () => ({})));
  await t.db
    .updateTable("mails")
    .set({ state: "sent", sent_at: sql`clock_timestamp()` })
    .execute();
  await queue({ subject: "One too many" }, { subject: "Not a notification", preference: null });
  await post.delivery.deliver();
  assert.deepEqual(
    post.sink.mails.map(({ subject }) => subject),
    ["Not a notification"],
  );
  const kept = (await stored()).filter(({ state }) => state === "kept");
  assert.deepEqual(
    kept.map(({ subject, last_error }) => [subject, last_error]),
    [["One too many", "The recipient was sent 60 notifications within an hour."]],
  );
});
