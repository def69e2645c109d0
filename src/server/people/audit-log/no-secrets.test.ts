import assert from "node:assert/strict";
import { test } from "node:test";
import { cookieOf } from "../../../../test/support/client.ts";
import { useTestApp, SETUP_TOKEN } from "../../../../test/support/test-app.ts";
import { sha256 } from "../../access/tokens.ts";
import { queuePasswordResets } from "../../account/password/queue-password-resets.ts";

const t = await useTestApp();

test("the log contains no token, password, cookie, link or hash", async () => {
  const secrets: string[] = [SETUP_TOKEN];
  const secret = (value: string) => {
    secrets.push(value);
    return value;
  };
  const person = { first_name: "Ada", last_name: "Moss", username: "ada", email: "ada@example.com" };
  const made = await t.http.post("/api/setup", {
    ...person,
    setup_token: SETUP_TOKEN,
    workspace_name: "Acme",
    password: secret("correct horse"),
  });
  assert.equal(made.status, 201, made.text);
  const cookie = cookieOf(made);
  secret(cookie.split("=")[1] as string);
  const browser = t.http.withCookie(cookie);
  const { email } = person;
  await t.http.post("/api/session", { email, password: secret("a wrong guess") });
  await t.http.post("/api/session", { email: secret("p4ssword-as-address"), password: "wrong" });

  const [workspace] = (await browser.get("/api/workspaces")).body.data;
  const project = (await browser.post("/api/projects", { key: "WEB", name: "Web" })).body;
  const personal = (await browser.post("/api/profile/tokens", { name: "CI", write: true })).body;
  const tokens = `/api/projects/${project.id}/tokens`;
  const hook = (await browser.post(tokens, { name: "Hook", access: "read" })).body;
  secret(personal.token);
  secret(hook.token);
  await browser.patch(`${tokens}/${hook.id}`, { active: false });
  await t.http.as(personal.token).delete(`${tokens}/${hook.id}`);

  const invitations = `/api/workspaces/${workspace.id}/invitations`;
  const { link } = (await browser.post(invitations, { email: "bea@example.com" })).body;
  secret(new URL(link).pathname.split("/")[2] as string);
  const joined = await t.http.post(`/api${new URL(link).pathname}`, {
    first_name: "Bea",
    last_name: "Hall",
    username: "bea",
    password: secret("battery staple"),
  });
  assert.equal(joined.status, 201, joined.text);

  await t.http.post("/api/password/forgot", { email });
  await queuePasswordResets(t.db);
  const { button_path } = await t.db
    .selectFrom("mails")
    .select("button_path")
    .where("button_path", "like", "%token=%")
    .executeTakeFirstOrThrow();
  const token = secret(button_path?.split("token=")[1] as string);
  const reset = await t.http.post("/api/password/reset", { token, password: secret("new horse battery") });
  assert.equal(reset.status, 204, reset.text);

  const rows = await t.db.selectFrom("audit_events").selectAll().execute();
  const kinds = new Set(rows.map((row) => row.kind));
  for (const kind of ["session.refused", "token.created", "token.changed", "token.revoked", "password.reset"])
    assert.ok(kinds.has(kind), kind);
  assert.ok(kinds.has("invitation.created") && kinds.has("invitation.accepted"));
  const log = JSON.stringify(rows);
  assert.equal(secrets.length, 11);
  for (const value of secrets)
    for (const form of [
      value,
      ...["hex", "base64", "base64url"].map((as) => sha256(value).toString(as as "hex")),
    ])
      assert.ok(!log.includes(form), `${form} stands in the log`);
});
