import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Mail } from "../../shared/mails.ts";
import type { Client } from "../../../test/support/client.ts";
import {
  makeCookie,
  makePersonalToken,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../test/support/make.ts";
import { openSmtpSink } from "../../../test/support/smtp-sink.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { MailDelivery } from "./delivery.ts";
import { queueMails, type NewMail } from "./queue-mail.ts";

const PUBLIC = "https://track.example.com";

const t = await useTestApp({ PUBLIC_URL: PUBLIC });

let workspace: { id: number; admin: TestUser };
let url: string;
let admin: Client;
let browser: Client;
beforeEach(async () => {
  await t.db.deleteFrom("mails").execute();
  workspace = await makeWorkspace(t.db);
  url = `/api/workspaces/${workspace.id}/mails`;
  admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  const cookie = (await makeCookie(t.db, workspace.admin.id)).replace(/^\w+/, "__Host-signalbox");
  browser = t.http.withCookie(cookie);
});

const queue = (...mails: Partial<NewMail>[]) =>
  t.db.transaction().execute((tx) =>
    queueMails(
      tx,
      mails.map((mail) => ({
        workspace_id: workspace.id,
        user_id: workspace.admin.id,
        subject: "WEB-12: It works",
        lines: ["Bea Lund commented."],
        button: { label: "Open", path: "/projects/WEB/issues/WEB-12" },
        preference: "notify_mentions",
        ...mail,
      })),
    ),
  );

const withoutServer = () => new MailDelivery(t.db, undefined, () => PUBLIC).deliver();
const list = async (query = "", client = admin) => {
  const answer = await client.get(`${url}${query}`);
  assert.equal(answer.status, 200);
  return answer.body as { data: Mail[]; meta: { next_cursor: string | null } };
};

test("without a mail server emails are kept and listed with their text and link", async () => {
  await queue({});
  assert.equal((await list()).data[0]?.state, "queued");
  await withoutServer();
  const { data, meta } = await list();
  const { id, created_at, ...mail } = data[0] as Mail;
  assert.ok(id > 0);
  assert.match(created_at, /\.\d{6}Z$/);
  assert.deepEqual(mail, {
    user_id: workspace.admin.id,
    to: workspace.admin.email,
    subject: "WEB-12: It works",
    lines: ["Bea Lund commented."],
    link: `${PUBLIC}/projects/WEB/issues/WEB-12`,
    preference: "notify_mentions",
    state: "kept",
    attempts: 0,
    last_error: null,
    sent_at: null,
  });
  assert.equal(meta.next_cursor, null);
});

test("a kept email is not sent after a mail server is set up", async () => {
  await queue({});
  await withoutServer();
  const sink = await openSmtpSink();
  const delivery = new MailDelivery(t.db, sink.settings, () => PUBLIC);
  await delivery.deliver();
  delivery.close();
  await sink.close();
  assert.deepEqual(sink.mails, []);
});

test("the list is paged newest first and can be filtered by state", async () => {
  await queue({ subject: "a" }, { subject: "b" }, { subject: "c" });
  await t.db.updateTable("mails").set({ state: "failed" }).where("subject", "=", "b").execute();
  const first = await list("?limit=2");
  const second = await list(`?limit=2&cursor=${first.meta.next_cursor}`);
  assert.deepEqual(
    [...first.data, ...second.data].map((mail) => mail.subject),
    ["c", "b", "a"],
  );
  assert.equal(second.meta.next_cursor, null);
  assert.deepEqual(
    (await list("?state=failed")).data.map((mail) => mail.subject),
    ["b"],
  );
  for (const query of ["?state=lost", "?limit=0", "?limit=201", "?cursor=x"])
    assert.equal((await admin.get(`${url}${query}`)).status, 422, query);
});

test("only administrators of the workspace can list its emails", async () => {
  await queue({});
  const member = await makeWorkspaceMember(t.db, workspace.id);
  const other = await makeWorkspace(t.db);
  assert.equal((await t.http.as(await makePersonalToken(t.db, member.id)).get(url)).status, 403);
  const stranger = t.http.as(await makePersonalToken(t.db, other.admin.id));
  assert.equal((await stranger.get(url)).status, 403);
  assert.deepEqual((await stranger.get(`/api/workspaces/${other.id}/mails`)).body.data, []);
});

test("an invitation is emailed to its address, and its link works", async () => {
  const sink = await openSmtpSink();
  const delivery = new MailDelivery(t.db, sink.settings, () => PUBLIC);
  const made = await admin.post(`/api/workspaces/${workspace.id}/invitations`, { email: "bea@example.com" });
  assert.equal(made.status, 201);
  await delivery.deliver();
  delivery.close();
  await sink.close();
  const [mail] = sink.mails;
  assert.deepEqual(mail?.recipients, ["bea@example.com"]);
  assert.match(mail?.subject ?? "", /^Invitation to Workspace \d+$/);
  assert.match(mail?.text ?? "", /^Ada Moss has invited you to Workspace \d+ on Signalbox\./);
  assert.ok(mail?.text?.includes(made.body.link));
  assert.ok(mail?.html?.includes(made.body.link));
  const shown = await t.http.get(`/api${new URL(made.body.link).pathname}`);
  assert.equal(shown.body.email, "bea@example.com");
});

test("a rejected invitation queues no email", async () => {
  const refused = await admin.post(`/api/workspaces/${workspace.id}/invitations`, {
    email: "bea@example.com",
    projects: [{ project_id: 999_999, role_id: 999_999 }],
  });
  assert.equal(refused.status, 422);
  assert.deepEqual((await list()).data, []);
});

test("an invitation's link is listed for a browser session until it is sent, and never for a token", async () => {
  const made = await admin.post(`/api/workspaces/${workspace.id}/invitations`, { email: "bea@example.com" });
  await withoutServer();
  assert.equal((await list("", browser)).data[0]?.link, made.body.link);
  assert.equal((await list("", admin)).data[0]?.link, null);
  await t.db.updateTable("mails").set({ state: "queued" }).execute();
  const sink = await openSmtpSink();
  const delivery = new MailDelivery(t.db, sink.settings, () => PUBLIC);
  await delivery.deliver();
  delivery.close();
  await sink.close();
  assert.equal((await list("", browser)).data[0]?.link, null);
  assert.doesNotMatch(JSON.stringify(await t.db.selectFrom("mails").selectAll().execute()), /invitations\//);
});

test("a deleted user's emails are not listed", async () => {
  const user = await makeUser(t.db);
  await queue({ user_id: user.id });
  await t.db.deleteFrom("users").where("id", "=", user.id).execute();
  assert.deepEqual((await list()).data, []);
});
