import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { openErrorList, rowLink } from "./error-list.ts";
import { pressSequence } from "./press-sequence.ts";
import { PHONE, useTestSite } from "./test-site.ts";

const site = await useTestSite({ LIMIT_INGEST: "100000", LIMIT_API: "100000" });

test("releases are listed newest first, and each shows its deploys and what it broke and fixed", async () => {
  const errors = await openErrorList(site);
  const api = `/api/projects/${errors.project.id}`;
  await errors.send("Comeback", { release: "feature/cart@1.0" });
  await errors.send("Solved", { release: "feature/cart@1.0" });
  const { id } = await errors.group("Comeback");
  await site.api.post(`${api}/error-groups/${id}/resolve`);
  await errors.send("Comeback", { release: "2026-11" });
  await errors.send("Newcomer", { release: "2026-11" });
  await site.api.post(`${api}/error-groups/${(await errors.group("Solved")).id}/resolve`);
  await site.api.post(`${api}/releases`, {
    version: "2026-11",
    environment: "production",
    commit: "9f2c1e7",
    url: "https://ci.example.com/runs/8841",
  });
  const page = await site.open(errors.url);
  await rowLink(page, "Newcomer").waitFor();
  await pressSequence(page, "g", "r");
  const rows = page.getByRole("list", { name: "Releases" }).getByRole("listitem");
  await rows.filter({ hasText: "feature/cart@1.0" }).getByText("First seen").waitFor();
  const newest = rows.first();
  await newest.getByText("Latest").waitFor();
  for (const text of ["production", "1 new", "1 regressed", "1 fixed", "2 events"])
    await newest.getByText(text).first().waitFor({ state: "attached" });
  await page.checkAccessibility();
  await page.getByRole("button", { name: "Record deploys" }).click();
  await page.getByRole("dialog").getByText(`${errors.project.key}/releases`).waitFor();
  await page.keyboard.press("Escape");
  await newest.getByRole("link", { name: "2026-11" }).click();
  await page.getByRole("heading", { level: 1, name: "2026-11" }).waitFor();
  const section = (name: string) => page.getByRole("region", { name });
  await section("New errors").getByRole("link", { name: "Newcomer happened" }).waitFor();
  await section("Regressed errors").getByRole("link", { name: "Comeback happened" }).waitFor();
  await section("Fixed errors").getByRole("link", { name: "Solved happened" }).waitFor();
  await page.checkAccessibility();
  const deploy = page.getByRole("link", { name: "Open deploy to production (opens in a new tab)" });
  await eventually(() => deploy.getAttribute("href"), "https://ci.example.com/runs/8841");
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Releases" }).click();
  // A slash in a version is part of it, in the address and after a reload.
  await rows.filter({ hasText: "feature/cart@1.0" }).getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: "feature/cart@1.0" }).waitFor();
  await page.reload();
  await section("New errors").getByRole("link", { name: "Comeback happened" }).waitFor();
  await page.leave();
});

test("the issue, its error and its report show how far the fix is", async () => {
  const errors = await openErrorList(site);
  const api = `/api/projects/${errors.project.id}`;
  await errors.send("Broken", { release: "1.0.0" });
  const group = await errors.group("Broken");
  const report = (await site.api.post(`${api}/reports`, { title: "It is broken", description: "Really." }))
    .body;
  const promoted = await site.api.post(`${api}/reports/promote`, {
    report_ids: [report.id],
    title: "Fix it",
    description: "Now.",
  });
  assert.ok(promoted.status < 300, promoted.text);
  const issue = (await site.api.get(`${api}/issues`)).body.data[0];
  await site.api.post(`${api}/error-groups/${group.id}/link`, { issue: issue.key });
  const web = `/projects/${errors.project.key}`;
  const page = await site.open(`${web}/issues/${issue.key}`);
  const current = (text: string) =>
    page.getByRole("list", { name: "Progress" }).locator('[aria-current="step"]').getByText(text).waitFor();
  await current("Triaged");
  const lanes = (await site.api.get(`${api}/lanes`)).body.data as { id: number; kind: string }[];
  const done = lanes.find(({ kind }) => kind === "done");
  await site.api.patch(`${api}/issues/${issue.id}`, { lane_id: done?.id });
  await current("Closed");
  await site.api.post(`${api}/error-groups/${group.id}/resolve`, { in: "next_release" });
  await site.api.post(`${api}/releases`, { version: "1.1.0", environment: "production" });
  await current("Released in 1.1.0");
  await page.checkAccessibility();
  for (const path of [`errors/${group.id}`, `reports/${report.id}`]) {
    await page.goto(`${web}/${path}`);
    await current("Released in 1.1.0");
  }
  await page.leave();
});

test("on a phone, a release shows all of its numbers and deploys, on as many lines as they need", async () => {
  const errors = await openErrorList(site);
  const api = `/api/projects/${errors.project.id}`;
  for (const name of ["Comeback", "Newcomer", "Solved"]) await errors.send(name, { release: "1.0.0" });
  await site.api.post(`${api}/error-groups/${(await errors.group("Solved")).id}/resolve`);
  for (const environment of ["production", "staging for everybody"])
    await site.api.post(`${api}/releases`, { version: "1.0.0", environment });
  await site.t.db
    .updateTable("release_deploys")
    .set({ deployed_at: "2020-09-29T12:00:00Z" })
    .where("environment", "=", "staging for everybody")
    .execute();
  const page = await site.open(`/projects/${errors.project.key}/releases`, PHONE);
  const row = page.getByRole("list", { name: "Releases" }).getByRole("listitem").first();
  await row.getByText("staging for everybody").waitFor();
  const isCut = await row.locator("time").evaluateAll((times) =>
    times.map((time) => {
      const { right } = time.getBoundingClientRect();
      return right > time.closest("p")!.getBoundingClientRect().right;
    }),
  );
  assert.deepEqual(isCut, [false, false]);
  await page.leave();
});

test("a release shows the first ten errors of a kind, then all, and continues from there with the keyboard", async () => {
  const errors = await openErrorList(site);
  for (let number = 1; number <= 13; number++) await errors.send(`Failure${number}`, { release: "2.0.0" });
  const page = await site.open(`/projects/${errors.project.key}/releases/2.0.0`);
  const lines = page.getByRole("region", { name: "New errors" }).getByRole("listitem");
  await lines.first().waitFor();
  await eventually(() => lines.count(), 10);
  await page.getByRole("button", { name: "Show all 13 new errors" }).press("Enter");
  await eventually(() => lines.count(), 13);
  await lines.nth(10).getByRole("link").and(page.locator(":focus")).waitFor();
  await page.checkAccessibility();
  await page.leave();
});

test("a release of any name is opened from the list and by its address", async () => {
  const names = ["..", ".", "a/b", "%2e%2e", "%2F", "what?", "#1", "two words", "\\", "-", "release 🚀"];
  const errors = await openErrorList(site);
  for (const release of names) await errors.send("Named", { release });
  const releases = `/projects/${errors.project.key}/releases`;
  const page = await site.open(releases);
  for (const name of names) {
    await page.getByRole("list", { name: "Releases" }).getByRole("link", { name, exact: true }).click();
    const heading = page.getByRole("heading", { level: 1, name, exact: true });
    await heading.waitFor();
    await page.getByRole("link", { name: "1 event", exact: true }).waitFor();
    await page.reload();
    await heading.waitFor();
    await page.getByRole("link", { name: "1 event", exact: true }).waitFor();
    await page
      .getByRole("navigation", { name: "Breadcrumb" })
      .getByRole("link", { name: "Releases" })
      .click();
  }
  await page.goto(`${errors.url}/${(await errors.group("Named")).id}`);
  await page.getByRole("definition").getByRole("link", { name: "..", exact: true }).first().waitFor();
  const releasesOfError = page.getByRole("table", { name: "Events by release" });
  await page.getByRole("button", { name: `Show all ${names.length} releases` }).click();
  await releasesOfError.getByRole("link", { name: "..", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "..", exact: true }).waitFor();
  await page.leave();
});
