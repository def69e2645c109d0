import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { verifyFixes } from "../../src/server/errors/groups/verify-fixes.ts";
import { WebhookDelivery } from "../../src/server/integrations/webhooks/deliver/webhook-delivery.ts";
import { tellOfReleases } from "../../src/server/integrations/webhooks/tell-of-releases.ts";
import { runRules } from "../support/alert-rules.ts";
import { eventually } from "../support/eventually.ts";
import { openGit, type Payload } from "../support/git.ts";
import { makeIngestKey } from "../support/make.ts";
import { recordedEnvelope } from "../support/sentry.ts";
import { ALLOW_LOCAL, openReceiver } from "../support/webhook-receiver.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite({ WEBHOOK_ALLOW: "127.0.0.1" });
const workspace = { id: site.workspaceId, admin: site.owner };

const MERGE = "1481a2de7b2a7d02428ad93446ab166be7793fbb";

/** The names of the steps that are reached. */
const reached = (page: TestPage) => async () =>
  (await page.getByRole("list", { name: "Progress" }).getByRole("listitem").allTextContents())
    .map((text) => text.split(", "))
    .filter(([, state]) => /^(?:done|reached)/.test(state ?? ""))
    .map(([name]) => name);

/** Lets the fix run for two days. */
async function verify(projectId: number) {
  const { db } = site.t;
  const past = sql`interval '48 hours'`;
  await sql`update releases set first_seen_at = first_seen_at - ${past} where project_id = ${projectId}`.execute(
    db,
  );
  await sql`update error_groups set resolved_at = resolved_at - ${past} where project_id = ${projectId}`.execute(
    db,
  );
  // The first run finds the release, the second one its silence.
  await verifyFixes(db);
  await verifyFixes(db);
}

test("an error is promoted, assigned, fixed, released and verified without a status set by hand", async (context) => {
  const git = await openGit(site.t, workspace);
  const path = `/api/projects/${git.id}`;
  const [key] = git.issue.key.split("-");
  const receiver = await openReceiver(context);
  const webhook = await git.admin.post(`${path}/webhooks`, { url: receiver.url, events: ["*"] });
  assert.equal(webhook.status, 201, webhook.text);
  await git.admin.patch(path, { lifecycle: { close_resolves: true } });
  const rule = await git.admin.post(`${path}/alert-rules`, {
    name: "New errors become issues",
    when: { kind: "new_group" },
    then: [{ to: "issue", assignee_id: site.owner.id }],
  });
  assert.equal(rule.status, 201, rule.text);

  const ingestKey = await makeIngestKey(site.t.db, git.id);
  const envelope = `${site.url}/api/${git.id}/envelope/?sentry_version=7&sentry_key=${ingestKey}`;
  const body = recordedEnvelope("event", "card declined");
  assert.equal((await fetch(envelope, { method: "POST", body })).status, 200);
  await runRules(site.t);

  const page = await site.open(`/projects/${key}/issues/${key}-2`);
  await page
    .getByRole("link", { name: /PaymentError/ })
    .first()
    .waitFor();
  const issue = async () => (await git.admin.get(`${path}/issues/${key}-2`)).body;
  assert.equal((await issue()).assignee_id, site.owner.id);

  const named = (pull: Payload) => (pull.body = `Fixes ${key}-2`);
  await git.receive("pull_request", ({ pull_request }) => void named(pull_request));
  await git.receive("pull_request_review");
  await git.receive("check_suite");
  await eventually(reached(page), ["Branch", "Approved", "Checks passed"]);
  await git.receive("pull_request", (payload) => {
    named(payload.pull_request);
    payload.action = "closed";
    Object.assign(payload.pull_request, {
      state: "closed",
      merged: true,
      merged_at: "2026-11-16T11:00:00Z",
      updated_at: "2026-11-16T11:00:00Z",
      merge_commit_sha: MERGE,
    });
  });
  await git.receive("push", (push) => {
    for (const commit of push.commits) commit.message = commit.message.replace(git.issue.key, `${key}-2`);
  });
  await eventually(reached(page), ["Branch", "Approved", "Checks passed", "Merged"]);

  const deploy = { version: "shop@1.5.0", environment: "production", commit: MERGE };
  assert.equal((await git.sender.post(`${path}/releases`, deploy)).status, 201);
  await verify(git.id);
  const all = ["Branch", "Approved", "Checks passed", "Merged", "Released in shop@1.5.0", "Verified"];
  await eventually(reached(page), all);
  await page.checkAccessibility();
  await page
    .getByRole("link", { name: /PaymentError/ })
    .first()
    .click();
  await eventually(reached(page), [
    "Branch",
    "Approved",
    "Checks passed",
    "Merged",
    "Released in shop@1.5.0",
    "Verified",
  ]);
  await page.leave();

  await tellOfReleases(site.t.db, new AbortController().signal);
  await new WebhookDelivery(site.t.db, { allowed: ALLOW_LOCAL, publicUrl: () => site.url }).deliver();
  const library = new Webhook(webhook.body.secret);
  const verified = receiver.received.map(
    (request) => library.verify(request.body, request.headers) as { type: string; data: { key?: string } },
  );
  const types = new Set(verified.map(({ type }) => type));
  for (const type of [
    "error_group.created",
    "issue.created",
    "issue.development_changed",
    "issue.closed",
    "error_group.resolved",
    "release.created",
    "release.deployed",
  ])
    assert.ok(types.has(type), `${type} is missing in ${[...types].join(", ")}`);
  assert.equal((await issue()).closed_at !== null, true);
});
