import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { verifyFixes } from "../../src/server/errors/groups/verify-fixes.ts";
import { eventually } from "../support/eventually.ts";
import { makeIngestKey, makeProjectToken } from "../support/make.ts";
import { recordedEnvelope } from "../support/sentry.ts";
import { openReportQueue, preview, row } from "./report-queue.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

/** Lets the fix of the project run for two days. */
async function passTwoDays(projectId: number) {
  const { db } = site.t;
  const past = sql`interval '48 hours'`;
  await sql`update releases set first_seen_at = first_seen_at - ${past} where project_id = ${projectId}`.execute(
    db,
  );
  await sql`update error_groups set resolved_at = resolved_at - ${past} where project_id = ${projectId}`.execute(
    db,
  );
}

const progress = (page: TestPage) => page.getByRole("list", { name: "Progress" });
const reached = (page: TestPage, step: string) =>
  progress(page).locator('[aria-current="step"]').getByText(step).waitFor();

async function showsAllSteps(page: TestPage) {
  const names = async () =>
    (await progress(page).getByRole("listitem").allTextContents()).map((text) => text.split(",")[0]);
  const steps = ["Reported", "Triaged", "Closed", "Released in shop@1.5.0", "Verified"];
  await eventually(names, steps);
}

test("a crash with feedback is triaged, fixed, released and verified, and each page shows how far it is", async () => {
  const queue = await openReportQueue(site);
  const api = `/api/projects/${queue.id}`;
  const web = `/projects/${queue.key}`;
  await site.api.patch(api, { lifecycle: { close_resolves: true } });
  const key = await makeIngestKey(site.t.db, queue.id);
  // What an unmodified SDK sent when it crashed, and when its user wrote what happened.
  for (const body of [recordedEnvelope("event", "card declined"), recordedEnvelope("feedback")]) {
    const url = `${site.url}/api/${queue.id}/envelope/?sentry_version=7&sentry_key=${key}`;
    assert.equal((await fetch(url, { method: "POST", body })).status, 200);
  }

  const page = await queue.open();
  const open = preview(page);
  await open
    .getByRole("list", { name: "Errors of this report" })
    .getByRole("link", { name: /PaymentError/ })
    .waitFor();
  await open.getByRole("checkbox", { name: /Also link the error PaymentError/, checked: true }).waitFor();
  await page.checkAccessibility();
  await row(page, "The checkout is broken").getByRole("link").focus();
  await page.keyboard.press("e");
  await page.getByRole("button", { name: `Open ${queue.key}-1` }).click();

  await page.getByRole("heading", { level: 1, name: "The checkout is broken" }).waitFor();
  await reached(page, "Triaged");
  await page.getByRole("link", { name: /PaymentError/ }).waitFor();
  await page.getByRole("button", { name: /^Lane/ }).click();
  await page.getByRole("option", { name: "Done" }).click();
  await reached(page, "Closed");

  await page.getByRole("link", { name: /PaymentError/ }).click();
  await page.getByText(/^Resolved in the next release by /).waitFor();
  await reached(page, "Closed");
  const pipeline = site.t.http.as(await makeProjectToken(site.t.db, queue.id, site.owner.id));
  const deploy = await pipeline.post(`${api}/releases`, {
    version: "shop@1.5.0",
    environment: "production",
  });
  assert.equal(deploy.status, 201, deploy.text);
  await reached(page, "Released in shop@1.5.0");

  await passTwoDays(queue.id);
  await verifyFixes(site.t.db);
  await verifyFixes(site.t.db);
  await reached(page, "Verified");
  await page.getByText(/a newer release ran for 48 hours without it/).waitFor();
  await showsAllSteps(page);
  await page.checkAccessibility();
  const [report] = (await queue.client.get(queue.path)).body;
  for (const path of [`issues/${queue.key}-1`, `reports/${report.id}`]) {
    await page.goto(`${web}/${path}`);
    await reached(page, "Verified");
    await showsAllSteps(page);
  }
  const verified = async () =>
    (await queue.client.get("/api/notifications?include=all&type=13")).body.map(
      ({ notifiable }: { notifiable: { exception_class: string } }) => notifiable.exception_class,
    );
  await eventually(verified, ["PaymentError"]);
  await page.leave();
});
