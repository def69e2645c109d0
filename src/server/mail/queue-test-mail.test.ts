import assert from "node:assert/strict";
import { test } from "node:test";
import { makePersonalToken, makeWorkspace, makeWorkspaceMember } from "../../../test/support/make.ts";
import { openSmtpSink } from "../../../test/support/smtp-sink.ts";
import { openAppOn, useTestApp } from "../../../test/support/test-app.ts";
import { MailDelivery } from "./delivery.ts";

const PUBLIC = "http://localhost:3000";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const token = await makePersonalToken(t.db, workspace.admin.id);
const url = `/api/workspaces/${workspace.id}/mail-test`;

test("without a mail server a test email is kept, and the response says so", async () => {
  const admin = t.http.as(token);
  const setup = await admin.get(`/api/workspaces/${workspace.id}/mail-setup`);
  assert.deepEqual([setup.status, setup.body], [200, { configured: false }]);
  const answer = await admin.post(url);
  assert.deepEqual([answer.status, answer.body], [200, { kept: true }]);
  await new MailDelivery(t.db, undefined, () => PUBLIC).deliver();
  const { data } = (await admin.get(`/api/workspaces/${workspace.id}/mails`)).body;
  assert.deepEqual(
    data.map(({ to, state, link }: Record<string, unknown>) => ({ to, state, link })),
    [{ to: workspace.admin.email, state: "kept", link: `${PUBLIC}/` }],
  );
});

test("with a mail server the test email is sent to the caller", async () => {
  const sink = await openSmtpSink();
  const { host, port } = sink.settings.smtp;
  const settings = { SMTP_URL: `smtp://${host}:${port}`, MAIL_FROM: "signalbox@track.example.com" };
  const sending = await openAppOn(t.database.url, settings);
  try {
    const setup = await sending.http.as(token).get(`/api/workspaces/${workspace.id}/mail-setup`);
    assert.deepEqual(setup.body, { configured: true });
    const answer = await sending.http.as(token).post(url, {});
    assert.deepEqual([answer.status, answer.body], [200, { kept: false }]);
    const delivery = new MailDelivery(sending.db, sink.settings, () => PUBLIC);
    await delivery.deliver();
    delivery.close();
    assert.deepEqual(
      sink.mails.map(({ recipients, subject }) => [recipients, subject]),
      [[[workspace.admin.email], "Test email from Signalbox"]],
    );
  } finally {
    await sending.close();
    await sink.close();
  }
});

test("only administrators of the workspace can send a test email", async () => {
  const member = await makeWorkspaceMember(t.db, workspace.id);
  const other = await makeWorkspace(t.db);
  for (const { id } of [member, other.admin])
    assert.equal((await t.http.as(await makePersonalToken(t.db, id)).post(url)).status, 403);
  const reader = t.http.as(await makePersonalToken(t.db, workspace.admin.id, { write: false }));
  assert.equal((await reader.post(url)).status, 403);
  assert.equal((await t.http.as(token).post("/api/workspaces/999999/mail-test")).status, 404);
});
