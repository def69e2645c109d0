import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { makeCheckIns } from "../support/make-check-ins.ts";
import { makeMember, makeProject, makeUser } from "../support/make.ts";
import { pressSequence } from "./press-sequence.ts";
import { PHONE, useTestSite } from "./test-site.ts";

const site = await useTestSite({ LIMIT_API: "100000" });

const NIGHTLY = { type: "crontab", value: "0 2 * * *" };

/** A new project and its monitors. */
async function open() {
  const project = await makeProject(site.t.db, site.workspaceId);
  const api = `/api/projects/${project.id}/monitors`;
  const create = async (name: string, fields: object = {}) => {
    const answer = await site.api.post(api, { name, schedule: NIGHTLY, ...fields });
    assert.equal(answer.status, 201, answer.text);
    return answer.body as { slug: string; ping_url: string };
  };
  return { project, api, create, url: `/projects/${project.key}/monitors` };
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test("the first monitor is created from “More”, with the next times while its schedule is typed", async () => {
  const { project, url } = await open();
  const page = await site.open(`/projects/${project.key}/releases`);
  const sidebar = page.getByRole("navigation", { name: "Main" });
  await sidebar.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Monitors" }).click();
  await page.getByText("No monitors yet").waitFor();
  await page.getByRole("button", { name: "New monitor" }).click();
  const dialog = page.getByRole("dialog", { name: "New monitor" });
  await dialog.getByLabel("Name").fill("Weekly report");
  const times = dialog.getByRole("region", { name: "Next times" });
  const crontab = dialog.getByRole("textbox", { name: "Crontab" });
  await crontab.fill("30 6 * * mon");
  await times.getByText("At 06:30 on Monday").waitFor();
  await times.getByRole("listitem").nth(4).waitFor();
  await eventually(() => times.getByRole("listitem").filter({ hasText: /^Mon/ }).count(), 5);
  await crontab.fill("30 6 * *");
  await times.getByText("Complete the schedule to see its next times.").waitFor();
  await dialog.getByRole("button", { name: "Create monitor" }).click();
  await crontab.and(page.locator("[aria-invalid]")).waitFor();
  await crontab.fill("@hourly");
  await dialog.getByRole("button", { name: "Create monitor" }).click();
  await page.waitForURL(`**${url}/weekly-report`);
  await page.getByRole("heading", { level: 1, name: "Weekly report" }).waitFor();
  await sidebar.getByRole("link", { name: "Monitors" }).waitFor();
  await page.leave();
});

test("a name that is taken is rejected under its field", async () => {
  const { create, url } = await open();
  await create("Backup");
  const page = await site.open(url);
  await page.getByRole("button", { name: "New monitor" }).click();
  const dialog = page.getByRole("dialog", { name: "New monitor" });
  await dialog.getByLabel("Name").fill("Backup");
  await dialog.getByRole("button", { name: "Create monitor" }).click();
  await dialog.getByText(/^There is already a monitor with this name/).waitFor();
  await dialog.getByLabel("Name").and(page.locator("[aria-invalid]")).waitFor();
  await page.leave();
});

test("the list shows each monitor's status, schedule, last run and 30 days, and those that fail on their own", async () => {
  const { project, create, url } = await open();
  const { slug } = await create("Backup");
  await create("Import", { schedule: { type: "interval", value: 5, unit: "minute" } });
  await makeCheckIns(site.t.db, { projectId: project.id, slug }, [
    { status: "ok", startedAt: minutesAgo(2 * 24 * 60) },
    { status: "error", startedAt: minutesAgo(120) },
  ]);
  await site.t.db
    .updateTable("monitor_environments")
    .set({ status: "failing" })
    .where("monitor_id", "in", (select) =>
      select.selectFrom("monitors").select("id").where("project_id", "=", project.id),
    )
    .execute();
  const page = await site.open(url);
  const rows = page.getByRole("list", { name: "Monitors" }).getByRole("listitem");
  const backup = rows.filter({ hasText: "Backup" });
  for (const text of ["Failing", "At 02:00 every day · UTC"]) await backup.getByText(text).waitFor();
  await backup.getByTitle(/^Last run/).waitFor();
  await backup.getByRole("img", { name: "Of 30 days, 1 with failures and 1 without" }).waitFor();
  await rows.filter({ hasText: "Import" }).getByText("Every 5 minutes").waitFor();
  await page.checkAccessibility();
  await page.getByRole("link", { name: /^Failing/ }).click();
  await rows.filter({ hasText: "Import" }).waitFor({ state: "detached" });
  await eventually(() => rows.count(), 1);
  await page.leave();
});

test("a monitor is opened from the list with the keyboard only", async () => {
  const { create, project, url } = await open();
  const { slug } = await create("Backup");
  const page = await site.open(`/projects/${project.key}/releases`);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Monitors" }).waitFor();
  await pressSequence(page, "g", "o");
  const link = page.getByRole("list", { name: "Monitors" }).getByRole("link", { name: "Backup" });
  await link.waitFor();
  await page.keyboard.press("j");
  await link.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${url}/${slug}`);
  await page.leave();
});

test("a monitor shows its runs with their durations and what the job has sent, by status", async () => {
  const { project, create, url } = await open();
  const { slug } = await create("Backup");
  await makeCheckIns(site.t.db, { projectId: project.id, slug }, [
    { status: "ok", startedAt: minutesAgo(70), duration: 95 },
    { status: "error", startedAt: minutesAgo(10), duration: 12.5, text: "disk full" },
  ]);
  const page = await site.open(`${url}/${slug}`);
  const runs = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
  await runs.filter({ hasText: "1 min 35 s" }).waitFor();
  await page.getByRole("slider", { name: "Duration in seconds" }).focus();
  await page.locator("output").filter({ hasText: "12.5 s · Failed" }).waitFor();
  await runs.filter({ hasText: "Failed" }).getByRole("button").first().click();
  await page.getByRole("region", { name: "Sent by the job" }).getByText("disk full").waitFor();
  await page.checkAccessibility();
  await page.getByRole("button", { name: "Status", exact: true }).click();
  await page.getByRole("option", { name: "OK" }).click();
  await page.waitForURL("**?status=ok");
  await runs.filter({ hasText: "Failed" }).waitFor({ state: "detached" });
  await page.leave();
});

test("a monitor is edited, muted, unmuted and deleted", async () => {
  const { api, create, url } = await open();
  const { slug } = await create("Backup");
  const page = await site.open(`${url}/${slug}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Backup" });
  await dialog.getByLabel("Name").fill("Nightly backup");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "Nightly backup" }).waitFor();
  const choose = async (name: string) => {
    await page.getByRole("button", { name: "Actions for the monitor" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await choose("Mute");
  await page.getByRole("dialog").getByRole("button", { name: "Mute" }).click();
  await page.getByText(/^Muted until/).waitFor();
  await choose("Unmute");
  await page.getByText(/^Muted until/).waitFor({ state: "detached" });
  await choose("Delete monitor");
  await page.getByRole("button", { name: "Delete monitor" }).click();
  await page.getByText("No monitors yet").waitFor();
  assert.equal((await site.api.get(`${api}/${slug}`)).status, 404);
  await page.leave();
});

test("the snippets contain the ping URL, which people who may only read do not see", async () => {
  const { project, create, url } = await open();
  const { slug, ping_url } = await create("Backup");
  const page = await site.open(`${url}/${slug}`);
  const code = (name: string) => page.getByRole("region", { name, exact: true });
  await code("curl").getByText(`${ping_url}/$?`).waitFor();
  for (const name of ["crontab", "sentry-cli", "Node.js", "Python"]) {
    await page.getByRole("tab", { name }).click();
    await code(name)
      .getByText(name === "crontab" ? "0 2 * * *" : slug)
      .waitFor();
  }
  await page.leave();
  const user = await makeUser(site.t.db);
  await makeMember(site.t.db, project.id, { user, role: "Viewer" });
  const reader = await site.open(`${url}/${slug}`, { as: user });
  await reader.getByText("People who may update errors see the ping URL.").waitFor();
  await reader.getByRole("region", { name: "curl", exact: true }).waitFor();
  await eventually(() => reader.getByRole("button", { name: "Edit" }).count(), 0);
  assert.ok(!(await reader.content()).includes(ping_url));
  await reader.leave();
});

test("on a phone, a row says when the monitor ran", async () => {
  const { project, create, url } = await open();
  const { slug } = await create("Backup of all of the databases, with their attachments");
  await makeCheckIns(site.t.db, { projectId: project.id, slug }, [
    { status: "ok", startedAt: minutesAgo(120) },
  ]);
  const page = await site.open(url, PHONE);
  const row = page.getByRole("list", { name: "Monitors" }).getByRole("listitem");
  await row.getByText("· last run 2h").waitFor();
  await row.getByRole("link").tap();
  await page.getByRole("region", { name: "Runs" }).getByText("OK").first().waitFor();
  await page.leave();
});
