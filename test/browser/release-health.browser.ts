import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { makeProject } from "../support/make.ts";
import { makeSessions, makeSessionUsers } from "../support/make-sessions.ts";
import { openErrorList } from "./error-list.ts";
import { PHONE, useTestSite } from "./test-site.ts";

const site = await useTestSite({ LIMIT_API: "100000" });

/** A new project with the releases 1.0.0 and 2.0.0. */
async function open() {
  const { id, key } = await makeProject(site.t.db, site.workspaceId);
  for (const version of ["1.0.0", "2.0.0"]) {
    const answer = await site.api.post(`/api/projects/${id}/releases`, {
      version,
      environment: "production",
    });
    assert.ok(answer.status < 300, answer.text);
  }
  return { id, url: `/projects/${key}/releases` };
}

/** A release that crashes more than the one before. */
async function openWorse() {
  const project = await open();
  await makeSessions(site.t.db, project.id, { version: "1.0.0", hoursAgo: 30, sessions: 1_000, crashed: 4 });
  await makeSessions(site.t.db, project.id, { version: "2.0.0", sessions: 4_000, crashed: 32 });
  await makeSessionUsers(site.t.db, project.id, { version: "2.0.0", users: 200, crashed: 10 });
  return project;
}

test("the list shows the share of sessions and users without a crash, and the adoption", async () => {
  const { url } = await openWorse();
  const page = await site.open(url, { width: 1600 });
  const rows = page.getByRole("list", { name: "Releases" }).getByRole("listitem");
  const newest = rows.filter({ hasText: "2.0.0" });
  for (const text of ["99.2% crash-free sessions", "95% crash-free users", "100% adoption"])
    await newest.getByText(text, { exact: true }).first().waitFor();
  const before = rows.filter({ hasText: "1.0.0" });
  for (const text of ["99.6% crash-free sessions", "— crash-free users", "0% adoption"])
    await before.getByText(text, { exact: true }).first().waitFor();
  await page.checkAccessibility();
  await page.leave();
});

test("the list and the page of a release can show the health of one environment", async () => {
  const { id, url } = await openWorse();
  const staging = { version: "2.0.0", environment: "staging", sessions: 1_000, crashed: 500 };
  await makeSessions(site.t.db, id, staging);
  const page = await site.open(url, { width: 1600 });
  await page.getByRole("button", { name: /^Environment/ }).click();
  await page.getByRole("option", { name: "staging" }).click();
  const newest = page
    .getByRole("list", { name: "Releases" })
    .getByRole("listitem")
    .filter({ hasText: "2.0.0" });
  await newest.getByText("50% crash-free sessions", { exact: true }).first().waitFor();
  await page.checkAccessibility();
  await page.goto(`${url}/2.0.0?environment=staging`);
  const health = page.getByRole("region", { name: "Health" });
  await health.getByText("50% crash-free").first().waitFor();
  await health.getByRole("button", { name: /^Environment/ }).click();
  await page.getByRole("option", { name: "All environments" }).click();
  await health.getByText(/\(5,000 sessions\)$/).waitFor();
  await page.leave();
});

test("a project without sessions shows no columns of health", async () => {
  const { url } = await open();
  const page = await site.open(url, { width: 1600 });
  await page.getByRole("list", { name: "Releases" }).getByText("2.0.0").waitFor();
  await eventually(() => page.getByText(/crash-free|adoption/i).count(), 0);
  await page.getByRole("link", { name: "2.0.0" }).click();
  await page.getByRole("region", { name: "New errors" }).waitFor();
  await eventually(() => page.getByRole("region", { name: "Health" }).count(), 0);
  await page.leave();
});

test("the page of a release says in a sentence that it is worse than the one before, and shows its sessions", async () => {
  const { url } = await openWorse();
  const page = await site.open(`${url}/2.0.0`);
  const health = page.getByRole("region", { name: "Health" });
  await health.getByText("99.2% crash-free, 99.6% before: worse (4,000 sessions)").waitFor();
  await health.getByRole("slider", { name: "Sessions by day (UTC)" }).focus();
  await health.locator("output").filter({ hasText: "4,000 sessions · 32 crashed" }).waitFor();
  await health.getByRole("button", { name: /^Time/ }).click();
  await page.getByRole("option", { name: "Last 48 hours" }).click();
  await health.getByRole("slider", { name: "Sessions by hour" }).waitFor();
  await page.checkAccessibility();
  await page.leave();
});

test("a release with fewer than 200 sessions is too new for a verdict", async () => {
  const { id, url } = await open();
  await makeSessions(site.t.db, id, { version: "2.0.0", sessions: 199 });
  const page = await site.open(`${url}/2.0.0`);
  await page.getByText("Too early to say: 199 sessions of the 200 that a comparison needs.").waitFor();
  await page.leave();
});

test("an estimated number of users is marked as such", async () => {
  const { id, url } = await open();
  await makeSessions(site.t.db, id, { version: "2.0.0", sessions: 40_000 });
  await makeSessionUsers(site.t.db, id, { version: "2.0.0", users: 8_000, crashed: 80, level: 1 });
  const page = await site.open(`${url}/2.0.0`);
  await page.getByText("≈ 16K").waitFor();
  await page.getByText(/^The number of users is an estimate/).waitFor();
  await page.leave();
});

test("on a phone, a row of the list says how stable the release is", async () => {
  const { url } = await openWorse();
  const page = await site.open(url, PHONE);
  const row = page.getByRole("list", { name: "Releases" }).getByRole("listitem").first();
  await row.getByText("99.2% crash-free sessions · 95% crash-free users · 100% adoption").waitFor();
  await page.leave();
});

test("the page of an error shows which share of sessions it can have hit", async () => {
  const errors = await openErrorList(site);
  await errors.send("Broken", { release: "1.0.0" });
  const { id } = await errors.group("Broken");
  await makeSessions(site.t.db, errors.project.id, { version: "1.0.0", sessions: 80, crashed: 0 });
  const page = await site.open(`${errors.url}/${id}`);
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByRole("heading", { name: "Sessions" }).waitFor();
  await details.getByText("Hit at most 1%").waitFor();
  await details.getByText("1 event in 80 sessions of the last 7 days").waitFor();
  await page.leave();
});
