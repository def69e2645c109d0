import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { openGit, signatureOf, type GitProject } from "../../../../test/support/git.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { GitHost } from "../../../shared/git.ts";
import { MAX_DELIVERY_BYTES } from "./receive-delivery.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const open = (host: GitHost = "github") => openGit(t, workspace, { host });

const countOf = async ({ connection }: GitProject) => {
  const rows = await t.db
    .selectFrom("git_deliveries")
    .select("id")
    .where("connection_id", "=", connection.id)
    .execute();
  return rows.length;
};

const post = ({ address }: GitProject, headers: Record<string, string>, payload: string | Buffer) =>
  t.http.send({ method: "POST", url: address, headers, payload });

for (const host of ["github", "gitlab", "gitea"] as const) {
  test(`a signed delivery of ${host} is stored and returns 202 without a body`, async () => {
    const git = await open(host);
    const answer = await git.deliver("push", await git.payload("push"));
    assert.deepEqual([answer.status, answer.text], [202, ""]);
    assert.equal(await countOf(git), 1);
    const list = await git.admin.get(`/api/projects/${git.id}/git-connections`);
    assert.notEqual(list.body.data[0].last_delivery_at, null);
  });

  test(`a changed body or another connection's secret returns 401 for ${host}`, async () => {
    const git = await open(host);
    const other = await open(host);
    const body = JSON.stringify(await git.payload("push"));
    const headers = signatureOf(git.connection, body, "push");
    assert.equal((await post(git, headers, `${body} `)).status, 401);
    assert.equal((await post(git, signatureOf(other.connection, body, "push"), body)).status, 401);
    assert.equal((await post(git, { "content-type": "application/json" }, body)).status, 401);
    assert.equal(await countOf(git), 0);
  });

  test(`the same delivery of ${host} is stored once`, async () => {
    const git = await open(host);
    const body = JSON.stringify(await git.payload("push"));
    const headers = signatureOf(git.connection, body, host === "gitlab" ? "Push Hook" : "push");
    for (let n = 0; n < 3; n++) assert.equal((await post(git, headers, body)).status, 202);
    assert.equal(await countOf(git), 1);
  });
}

test("a signature with SHA-1 alone returns 401", async () => {
  const git = await open();
  const body = JSON.stringify(await git.payload("push"));
  const hex = createHmac("sha1", git.connection.secret).update(body).digest("hex");
  const headers = {
    "content-type": "application/json",
    "x-github-event": "push",
    "x-hub-signature": `sha1=${hex}`,
  };
  assert.equal((await post(git, headers, body)).status, 401);
});

test("Gitea's host accepts the headers of Forgejo and of GitHub", async () => {
  const git = await open("gitea");
  const body = JSON.stringify(await git.payload("push"));
  const hex = createHmac("sha256", git.connection.secret).update(body).digest("hex");
  const json = { "content-type": "application/json" };
  const forgejo = { ...json, "x-forgejo-event": "push", "x-forgejo-signature": hex };
  const github = { ...json, "x-gitea-event": "push", "x-hub-signature-256": `sha256=${hex}` };
  assert.equal((await post(git, forgejo, body)).status, 202);
  assert.equal((await post(git, github, body)).status, 202);
  assert.equal(await countOf(git), 1, "without an id, the body's hash identifies the delivery");
});

test("GitLab's secret token is accepted where it sends no signature", async () => {
  const git = await open("gitlab");
  const body = JSON.stringify(await git.payload("push"));
  const headers = { "content-type": "application/json", "x-gitlab-event": "Push Hook" };
  const withToken = (token: string) => post(git, { ...headers, "x-gitlab-token": token }, body);
  assert.equal((await withToken("wrong")).status, 401);
  assert.equal((await withToken(git.connection.secret)).status, 202);
});

test("a GitLab signature that is older than five minutes returns 401", async () => {
  const git = await open("gitlab");
  const body = JSON.stringify(await git.payload("push"));
  const key = Buffer.from(git.connection.secret.replace("whsec_", ""), "base64");
  const sentAgo = (seconds: number) => {
    const time = String(Math.floor(Date.now() / 1_000) - seconds);
    const signature = createHmac("sha256", key).update(`id-1.${time}.${body}`).digest("base64");
    const signed = {
      "webhook-id": "id-1",
      "webhook-timestamp": time,
      "webhook-signature": `v1,x v1,${signature}`,
    };
    return post(git, { "content-type": "application/json", "x-gitlab-event": "Push Hook", ...signed }, body);
  };
  assert.equal((await sentAgo(600)).status, 401);
  assert.equal((await sentAgo(60)).status, 202);
});

test("GitHub may send the payload as a form", async () => {
  const git = await open();
  const form = new URLSearchParams({ payload: JSON.stringify(await git.payload("push")) }).toString();
  const headers = {
    ...signatureOf(git.connection, form, "push"),
    "content-type": "application/x-www-form-urlencoded",
  };
  assert.equal((await post(git, headers, form)).status, 202);
  await git.process();
  assert.equal((await git.readIssue()).git_links.length, 2);
});

test("an unknown address returns 404, and broken JSON 400", async () => {
  const git = await open();
  const unknown = await t.http.post("/api/git/0000000000000000000000000000000x", {});
  assert.equal(unknown.status, 404);
  const body = '{"ref": ';
  assert.equal((await post(git, signatureOf(git.connection, body, "push"), body)).status, 400);
});

test("a body of 25 MiB is accepted, and a larger one returns 413", async () => {
  const git = await open();
  const bodyOf = (bytes: number) => `{"x":"${"y".repeat(bytes - 8)}"}`;
  const largest = bodyOf(MAX_DELIVERY_BYTES);
  assert.equal((await post(git, signatureOf(git.connection, largest, "ping"), largest)).status, 202);
  const larger = bodyOf(MAX_DELIVERY_BYTES + 1);
  assert.equal((await post(git, signatureOf(git.connection, larger, "ping"), larger)).status, 413);
});

test("unknown events return 202 and are not stored", async () => {
  const git = await open();
  assert.equal((await git.deliver("watch", { action: "started" })).status, 202);
  assert.equal(await countOf(git), 0);
});
