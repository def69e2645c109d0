import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { eventually, waitUntil } from "../support/eventually.ts";
import { anEvent } from "../support/error-events.ts";
import { makeProjectToken } from "../support/make.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const p = `/api/projects/${site.project.id}`;

test("an empty triage queue and an empty list of errors show a command with the project's ingest key", async () => {
  const { body: key } = await site.api.post(`${p}/ingest-keys`, { name: "Shop" });
  const { body: keys } = await site.api.get(`${p}/ingest-keys`);
  const first = keys.data[0].key as string;
  assert.ok(key.key);
  for (const [path, heading, label, address] of [
    ["triage", "Queue clear", "Send feedback from an app", `/api/${site.project.id}/envelope/`],
    ["errors", "No errors yet", "Send an error", "/api/projects/WEB/error-events"],
  ] as const) {
    const page = await site.open(`/projects/WEB/${path}`);
    await page.getByRole("heading", { name: heading }).waitFor();
    const code = page.getByRole("region", { name: label });
    await code.getByText(`${site.url}${address}`).filter({ hasText: first }).waitFor();
    await page.getByRole("button", { name: "Copy" }).waitFor();
    await page.checkAccessibility();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.checkAccessibility();
    await page.leave();
  }
});

test("“Queue clear” is in the middle of the page", async () => {
  const page = await site.open("/projects/WEB/triage", { width: 1440 });
  const middleOf = async (element: Locator) => {
    const { x, width } = (await element.boundingBox()) ?? { x: Number.NaN, width: 0 };
    return x + width / 2;
  };
  await waitUntil(async () => {
    const heading = await middleOf(page.getByRole("heading", { name: "Queue clear" }));
    return Math.abs(heading - (await middleOf(page.getByRole("main")))) < 8;
  }, "it is not in the middle");
  await page.leave();
});

test("members who are not administrators are not asked to invite anyone", async () => {
  const page = await site.open("/", { as: await site.member("Member") });
  const steps = page.getByRole("region", { name: "First steps" });
  await steps.getByText("0 of 3").waitFor();
  await eventually(() => steps.getByText("Invite someone").count(), 0);
  await page.leave();
});

test("each first step links to where it is done and gets a tick once it is, and the list disappears after the last one", async () => {
  await site.t.db.deleteFrom("workspace_members").where("is_admin", "=", false).execute();
  const page = await site.open("/");
  const steps = page.getByRole("region", { name: "First steps" });
  const isDone = (step: string) =>
    steps
      .getByRole("listitem")
      .filter({ hasText: `${step} (done)` })
      .waitFor();
  await steps.getByText("0 of 4").waitFor();
  await page.checkAccessibility();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.checkAccessibility();
  for (const [step, address] of [
    ["Send an error", "**/projects/WEB/settings?section=ingestion"],
    ["Collect a report", "**/projects/WEB/triage"],
    ["Invite someone", `**/workspaces/${site.workspaceId}/settings?section=invitations`],
  ] as const) {
    await steps.getByRole("link", { name: step }).click();
    await page.waitForURL(address);
    await page.goBack();
  }
  await steps.getByRole("link", { name: "Plan an issue" }).click();
  const dialog = page.getByRole("dialog", { name: "New issue" });
  await dialog.getByLabel("Title").fill("Paint the signal");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("link", { name: /Paint the signal/ }).waitFor();
  await page.goto("/");
  await isDone("Plan an issue");
  const sender = site.t.http.as(await makeProjectToken(site.t.db, site.project.id, site.owner.id));
  assert.equal((await sender.post(`${p}/error-events`, anEvent())).status, 202);
  await site.create("/reports", { title: "The gate squeaks", description: "Loudly." });
  await page.reload();
  await isDone("Send an error");
  await isDone("Collect a report");
  await steps.getByText("3 of 4").waitFor();
  const invitation = { email: "bea@example.com", is_admin: false, projects: [] };
  const sent = await site.api.post(`/api/workspaces/${site.workspaceId}/invitations`, invitation);
  assert.equal(sent.status, 201);
  await page.reload();
  await page.getByRole("region", { name: "Regressions" }).waitFor();
  await eventually(() => steps.count(), 0);
  await page.leave();
});

test("the first steps can be dismissed, and stay dismissed in this browser", async () => {
  await site.t.db.deleteFrom("invitations").execute();
  const page = await site.open("/");
  const steps = page.getByRole("region", { name: "First steps" });
  await page.getByRole("button", { name: "Dismiss first steps" }).click();
  await steps.waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("region", { name: "Regressions" }).waitFor();
  await eventually(() => steps.count(), 0);
  await page.leave();
});
