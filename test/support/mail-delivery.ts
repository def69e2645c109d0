import { beforeEach } from "node:test";
import { sql } from "kysely";
import { MailDelivery } from "../../src/server/mail/delivery.ts";
import { queueMails, type NewMail } from "../../src/server/mail/queue-mail.ts";
import { makeUser, makeWorkspace, type TestUser } from "./make.ts";
import { openSmtpSink, type SmtpSink } from "./smtp-sink.ts";
import { useTestApp } from "./test-app.ts";

export const PUBLIC = "https://track.example.com";

/** For each test an empty queue, a mail server, a delivery to it, and a user to send to. Await it at the top of the file. */
export async function useMailDelivery() {
  const t = await useTestApp();
  const workspaceId = (await makeWorkspace(t.db)).id;
  let sink: SmtpSink;
  let user: TestUser;
  let delivery: MailDelivery;
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

  return {
    t,
    aMail,
    queue,
    stored,
    makeDue,
    get sink() {
      return sink;
    },
    get user() {
      return user;
    },
    get delivery() {
      return delivery;
    },
  };
}
