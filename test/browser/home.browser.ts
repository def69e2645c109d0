import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { anEvent } from "../support/error-events.ts";
import { eventually, waitUntil } from "../support/eventually.ts";
import { makeProjectToken } from "../support/make.ts";
import { sendEvent } from "./error-list.ts";
import { pressSequence } from "./press-sequence.ts";
import { PHONE, useTestSite } from "./test-site.ts";

const site = await useTestSite();
const p = `/api/projects/${site.project.id}`;
const member = await site.member("Member");
const { body: lanes } = await site.api.get(`${p}/lanes`);
const [, , doing] = lanes.data as { id: number }[];

test("G H opens home with the user's work, changes and waiting reports, and a later visit shows only later changes", async () => {
  await site.create("/issues", {
    title: "Paint the buffer stop",
    assignee_id: member.id,
    lane_id: doing?.id,
  });
  const page = await site.open("/projects/WEB/board", { as: member });
  await page.getByRole("link", { name: /Paint the buffer stop/ }).waitFor();
  await pressSequence(page, "g", "h");
  await page.getByRole("heading", { level: 1, name: /^Hello/ }).waitFor();
  await page.getByRole("link", { name: "Home" }).and(page.locator("[aria-current=page]")).waitFor();
  const changes = page.getByRole("region", { name: "Changed in the last 7 days" });
  await changes.getByText("Ada Moss created it").waitFor();
  await page.getByRole("region", { name: "In progress" }).getByRole("link", { name: /Paint/ }).waitFor();
  await page.getByText("Every report is triaged.").waitFor();

  await page.getByRole("link", { name: "My issues" }).first().click();
  await page.waitForURL("**/my-issues");
  const visits = () =>
    sql<{ id: number }>`select from home_visits where user_id = ${member.id}`.execute(site.t.db);
  await waitUntil(async () => (await visits()).rows.length === 1, "the visit is not recorded");
  await sql`update home_visits set seen_at = now() - interval '31 minutes'`.execute(site.t.db);
  await sql`update issue_activity set created_at = now() - interval '1 hour'`.execute(site.t.db);
  await site.create("/reports", { title: "The gate squeaks", description: "Loudly." });
  await pressSequence(page, "g", "h");
  await page
    .getByRole("region", { name: "Since your last visit" })
    .getByText("Nothing has changed")
    .waitFor();
  await page.getByRole("link", { name: "The gate squeaks" }).click();
  await page.waitForURL(/\/projects\/WEB\/triage\?report=/);
  await page.leave();
});

test("G H opens home also if the page is busy between the keys", async () => {
  const page = await site.open("/projects/WEB/board");
  await page.getByRole("heading", { level: 1, name: "Board" }).waitFor();
  await page.evaluate(() => {
    const press = (key: string) => new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    const [first, second] = [press("g"), press("h")];
    document.body.dispatchEvent(first);
    const end = performance.now() + 1_500;
    while (performance.now() < end);
    document.body.dispatchEvent(second);
  });
  await page.getByRole("heading", { level: 1, name: /^Hello/ }).waitFor();
  await page.leave();
});

test("on a wide page, the user's work is below a short list of changes, so that no half stays empty", async () => {
  const page = await site.open("/", { as: member });
  const left = async (name: string | RegExp) =>
    (await page.getByRole("region", { name }).boundingBox())?.x ?? Number.NaN;
  await page.getByRole("region", { name: "In progress" }).waitFor();
  await eventually(
    async () => (await left("In progress")) - (await left(/^(Since your last visit|Changed in)/)),
    0,
  );
  await eventually(async () => (await left("In progress")) < (await left("Regressions")), true);
  await page.leave();
});

test("home links to the way to connect an app until the first event arrives", async () => {
  const page = await site.open("/");
  const regressions = page.getByRole("region", { name: "Regressions" });
  await regressions.getByText("No errors in the last 14 days.").waitFor();
  await regressions.getByRole("link", { name: "connect an app" }).click();
  await page.getByRole("heading", { name: "Send errors from your app" }).waitFor();
  const sender = site.t.http.as(await makeProjectToken(site.t.db, site.project.id, site.owner.id));
  await sendEvent(sender, `${p}/error-events`, anEvent({ exception_class: "FirstError" }));
  await page.goto("/");
  await regressions.getByText("No resolved error has come back.").waitFor();
  await page.leave();
});

test("the numbers at Triage and Errors follow what others do", async () => {
  const sender = site.t.http.as(await makeProjectToken(site.t.db, site.project.id, site.owner.id));
  const report = await site.create("/reports", {
    title: "A missing sleeper",
    description: "At the second bend.",
  });
  const { body: before } = await site.api.get(`${p}/counts`);
  const page = await site.open("/my-issues");
  const main = page.getByRole("navigation", { name: "Main" });
  const triage = main.getByRole("link", { name: /^Triage/ });
  await eventually(() => triage.textContent(), `Triage${before.waiting_reports} waiting`);
  await sendEvent(sender, `${p}/error-events`, anEvent());
  await main.getByRole("link", { name: `Errors ${before.open_errors + 1} open` }).waitFor();
  await site.api.post(`${p}/reports/${report.id}/dismiss`, { category: "invalid" });
  const left = before.waiting_reports - 1;
  await eventually(() => triage.textContent(), left > 0 ? `Triage${left} waiting` : "Triage");
  await page.leave();
});

test("a tap beside the title of a line opens it, on home and on the overview", async () => {
  const { id } = await site.create("/reports", { title: "The signal is dark", description: "Since dawn." });
  for (const path of ["/", "/projects/WEB"]) {
    const page = await site.open(path, PHONE);
    const line = page.getByRole("listitem").filter({ hasText: "The signal is dark" });
    const { width, height } = (await line.boundingBox()) ?? { width: 0, height: 0 };
    assert.ok(height >= 40);
    await line.tap({ position: { x: width - 4, y: height - 4 } });
    await page.waitForURL(`**/projects/WEB/triage?report=${id}`);
    await page.leave();
  }
});
