import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { notifyOfErrors } from "../../src/server/integrations/alert-rules/notify-of-errors.ts";
import type { Notification } from "../../src/shared/notifications.ts";
import { makeNotification } from "../support/inbox.ts";
import { makeMember } from "../support/make.ts";
import { openProject } from "../support/project.ts";
import { eventually } from "../support/eventually.ts";
import { pickFilter } from "./pick-filter.ts";
import { useTestSite } from "./test-site.ts";
import { openBox, preview, row, rows } from "./inbox-page.ts";

const site = await useTestSite();
const openInbox = (...messages: string[]) => openBox(site, ...messages);

async function makeIssue(title: string): Promise<{ id: number; key: string; title: string }> {
  const answer = await site.api.post(`/api/projects/${site.project.id}/issues`, { title });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

test("an entry shows the latest comments", async () => {
  const box = await openInbox();
  const issue = await makeIssue("Prices without tax");
  const comments = `/api/projects/${site.project.id}/issues/${issue.id}/comments`;
  for (const content of [
    "Seen on Monday.",
    "And today.",
    "Fixed in **1.9**.",
    `Thanks, @${box.user.username}.`,
  ])
    assert.equal((await site.api.post(comments, { content })).status, 201);
  const page = await box.open();
  await row(page, "Prices without tax").getByRole("link").click();
  const latest = preview(page).getByRole("region", { name: "Latest comments" });
  await latest.getByText("Fixed in 1.9.").waitFor();
  await latest.getByRole("heading", { name: "Latest 3 of 4 comments" }).waitFor();
  await eventually(() => latest.getByText("Seen on Monday.").count(), 0);
  await page.checkAccessibility();
  await page.leave();
});

test("an entry of a deleted issue can be opened and deleted", async () => {
  const box = await openInbox();
  const issue = await makeIssue("Short life");
  const about = { workspace_id: site.workspaceId, project_id: site.project.id, issue };
  await makeNotification(site.t.db, box.user, about, { type: 2, message: "Someone commented" });
  await site.api.delete(`/api/projects/${site.project.id}/issues/${issue.id}`);
  const page = await box.open();
  await row(page, "Someone commented").getByRole("link").click();
  await preview(page).getByText("This issue was deleted").waitFor();
  await preview(page).getByText("Short life").waitFor();
  await page.keyboard.press("Backspace");
  await page.getByRole("heading", { name: "Inbox zero" }).waitFor();
  await page.goto("/my-issues");
  await eventually(box.entries, []);
  await page.leave();
});

test("an inbox that never had an entry does not say that entries were read", async () => {
  const page = await (await openInbox()).open();
  await page.getByText("You have no unread notifications.").waitFor();
  await page.getByRole("link", { name: "Show all notifications" }).waitFor();
  await page.leave();
});

test("filters are kept in the URL, and an empty result offers to clear them", async () => {
  const box = await openInbox("Plain");
  await box.put("Called", { type: 4 });
  const page = await box.open();
  await row(page, "Plain").waitFor();
  await pickFilter(page, "Type", "Mentions (1)");
  await page.waitForURL(/type=4/);
  await row(page, "Plain").waitFor({ state: "detached" });
  await row(page, "Called").waitFor();
  await pickFilter(page, "Type", "Added to teams");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await row(page, "Plain").waitFor();
  await page.leave();
});

test("a long inbox loads further pages automatically", async () => {
  const box = await openInbox();
  for (let n = 1; n <= 105; n++) await box.put(`Entry ${n}`);
  const page = await box.open();
  await row(page, "Entry 105").waitFor();
  await page.getByRole("button", { name: "Show older notifications" }).click();
  await page.getByRole("button", { name: "Show older notifications" }).waitFor({ state: "detached" });
  await eventually(() => rows(page).first().getAttribute("aria-setsize"), "105");
  await page.leave();
});

test("a switch is saved immediately and flips back if the change is rejected", async () => {
  const box = await openInbox();
  const page = await site.open("/settings/notifications", { as: box.user });
  const mentions = page.getByRole("switch", { name: "Email: Mentions" });
  await mentions.click();
  await eventually(async () => (await box.client.get("/api/profile")).body.notify_mentions, false);
  await page.route("**/notification-preferences", (route) =>
    route.fulfill({ status: 409, json: { message: "It was changed concurrently." } }),
  );
  await mentions.focus();
  await page.keyboard.press("Space");
  await page.getByText("It was changed concurrently.").waitFor();
  await eventually(() => mentions.isChecked(), false);
  await page.unroute("**/notification-preferences");
  await page.getByRole("switch", { name: "Send me emails" }).click();
  await eventually(() => mentions.isDisabled(), true);
  await page.getByRole("switch", { name: "Issues I create" }).click();
  await eventually(async () => {
    const { body } = await box.client.get("/api/profile");
    return [body.email_notifications_enabled, body.auto_watch_on_create, body.notify_assignment];
  }, [false, false, true]);
  await page.leave();
});

test("entries about an issue are one row with its words; they are answered in the pane and read together", async () => {
  const box = await openInbox("Before");
  const issue = await makeIssue("Checkout fails");
  const comments = `/api/projects/${site.project.id}/issues/${issue.id}/comments`;
  for (const words of ["First **words**", "Then `others`"])
    await site.api.post(comments, { content: `@${box.user.username} ${words}` });
  const page = await box.open();
  await row(page, "Then others").getByText("2 unread").waitFor();
  await eventually(() => rows(page).count(), 2);
  await preview(page).getByRole("heading", { name: "Checkout fails", exact: true }).waitFor();
  await row(page, "Then others").getByRole("link").focus();
  await page.keyboard.press("ArrowRight");
  await row(page, "First words").waitFor();
  await page.checkAccessibility();
  await page.keyboard.press("ArrowLeft");
  await eventually(() => rows(page).count(), 2);
  await preview(page).getByRole("textbox", { name: "Reply" }).fill("I will look.");
  await preview(page).getByRole("button", { name: "Reply", exact: true }).click();
  await preview(page).locator("p", { hasText: "I will look." }).waitFor();
  await eventually(async () => {
    const { data } = (await site.api.get(comments)).body;
    const [, second, reply] = data as { id: number; parent_id: number | null; content: string }[];
    return [reply?.content, reply !== undefined && reply.parent_id === second?.id];
  }, ["I will look.", true]);
  await row(page, "Then others").getByRole("link").focus();
  await page.keyboard.press("e");
  await preview(page).getByRole("heading", { name: "Before" }).waitFor();
  await page.getByText("2 notifications marked as read").first().waitFor();
  await page.keyboard.press("ControlOrMeta+z");
  await row(page, "Then others").getByText("2 unread").waitFor();
  await page.leave();
});

test("Z snoozes until a time that is offered or typed, which can be undone, and the Snoozed tab returns the entry", async () => {
  const box = await openInbox("Stays", "Later");
  const page = await box.open();
  const snoozed = async () =>
    ((await box.client.get("/api/notifications?snoozed=true")).body as Notification[]).map(
      ({ message, snoozed_until }) => [message, new Date(snoozed_until ?? 0).toISOString()],
    );
  await row(page, "Later").getByRole("link").focus();
  await page.keyboard.press("z");
  const [date, time] = [page.getByLabel("Date", { exact: true }), page.getByLabel("Time", { exact: true })];
  await date.waitFor();
  await page.checkAccessibility();
  await page.getByRole("button", { name: /^Tomorrow/ }).click();
  // A message stays while the pointer is on it.
  await page.getByRole("button", { name: "Undo" }).hover();
  await row(page, "Later").waitFor({ state: "detached" });
  await eventually(() => page.title(), "(1) Inbox · Signalbox");
  await page.getByRole("button", { name: "Undo" }).click();
  await row(page, "Later").waitFor();
  await row(page, "Later").getByRole("link").focus();
  await page.keyboard.press("z");
  await date.fill("2 Jan 2040");
  await time.fill("25");
  await time.press("Enter");
  await page.getByText("Enter a date and a time.").waitFor();
  await time.fill("1430");
  await time.press("ArrowUp");
  await time.press("Enter");
  await row(page, "Later").waitFor({ state: "detached" });
  await page.goto("/notifications?filter=snoozed");
  await eventually(snoozed, [["Later", "2040-01-02T14:45:00.000Z"]]);
  await page.reload();
  await row(page, "Later").getByRole("link").focus();
  await page.keyboard.press("u");
  await page.getByRole("heading", { name: "Nothing is snoozed" }).waitFor();
  await page.goto("/notifications");
  await eventually(snoozed, []);
  await page.reload();
  await row(page, "Later").waitFor();

  await page.setViewportSize({ width: 390, height: 800 });
  const header = page.locator("#main [data-header-row]").first();
  await eventually(() => header.evaluate(({ clientHeight }) => clientHeight), 48);
  await page.leave();
});

test("a new report is shown with its text, and ⇧M stops watching, which can be undone", async () => {
  const box = await openInbox();
  const watch = `/api/projects/${site.project.id}/reports/watch`;
  await box.client.put(watch, { watching: true });
  const isWatching = async () =>
    (await box.client.get(watch)).body.report_watcher_ids.includes(box.user.id) as boolean;
  const { body } = await site.api.post(`/api/projects/${site.project.id}/reports`, {
    title: "Login broken",
    description: `Nothing *happens*.${"\n\nStill nothing.".repeat(9)}`,
  });
  const page = await box.open();
  await row(page, "Nothing happens.").waitFor();
  await preview(page).getByText("Nothing happens.").waitFor();
  await preview(page).getByText(`Report #${body.id}`).waitFor();
  await preview(page).getByRole("link", { name: "Open report" }).waitFor();
  const top = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().top);
  const comment = preview(page).getByRole("textbox", { name: "Write a comment" });
  await comment.waitFor();
  assert.ok((await top(comment)) > (await top(preview(page).getByText("Drop files here"))));
  await page.checkAccessibility();
  await page.keyboard.press("Shift+M");
  // A message stays while the pointer is on it.
  await page.getByRole("group", { name: "No longer watching reports of Web shop" }).hover();
  await eventually(() => isWatching(), false);
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually(isWatching, true);
  await page.leave();
});

test("an error that is assigned appears in the open inbox, is found by its type, and leads to the error", async () => {
  const box = await openInbox("Something else");
  const project = await openProject(site.t, { id: site.workspaceId, admin: site.owner });
  await makeMember(site.t.db, project.id, { user: box.user });
  const { id } = await project.first({ exception_class: "CartError" });
  const page = await box.open("?filter=all");
  await row(page, "Something else").waitFor();
  const assigned = await project.admin.patch(`${project.groups}/${id}`, { assignee_id: box.user.id });
  assert.equal(assigned.status, 200, assigned.text);
  await page.getByRole("button", { name: "1 new" }).click();
  await pickFilter(page, "Type", "Assigned errors (1)");
  await row(page, "assigned the error CartError to you").getByRole("link").click();
  await preview(page).getByRole("button", { name: "Stop watching CartError" }).waitFor();
  await page.checkAccessibility();
  await preview(page).getByRole("link", { name: "Open error" }).click();
  await page.waitForURL(new RegExp(`/errors/${id}$`));
  await page.leave();
});

test("the entry that sums up new errors leads to them, newest first", async () => {
  const box = await openInbox();
  const project = await openProject(site.t, { id: site.workspaceId, admin: site.owner });
  await makeMember(site.t.db, project.id, { user: box.user });
  const about = { user_id: box.user.id, project_id: project.id, workspace_id: site.workspaceId };
  await site.t.db.insertInto("report_watchers").values(about).execute();
  for (let n = 0; n < 12; n++) await project.send({ exception_class: `Failed${n}`, message: "" });
  await notifyOfErrors(site.t.db, { retentionDays: 90 });
  const page = await box.open();
  await row(page, "3 new errors in").getByRole("link").click();
  await preview(page).getByRole("link", { name: "Open new errors" }).click();
  await page.waitForURL(/\/errors\?sort=first_seen$/);
  const titles = page.getByRole("list", { name: "Errors" }).getByRole("listitem").getByRole("link");
  await eventually(
    async () => (await titles.allTextContents()).slice(0, 3),
    ["Failed11", "Failed10", "Failed9"],
  );
  await page.leave();
});

test("an alert about an error leads to the error, and one about the project to its errors", async () => {
  const box = await openInbox();
  const project = await openProject(site.t, { id: site.workspaceId, admin: site.owner });
  await makeMember(site.t.db, project.id, { user: box.user });
  const rule = {
    name: "First errors",
    when: { kind: "new_group" },
    then: [{ to: "inbox", user_ids: [box.user.id] }],
  };
  const created = await project.admin.post(`/api/projects/${project.id}/alert-rules`, rule);
  assert.equal(created.status, 201, created.text);
  const { id } = await project.first({ exception_class: "CartError" });
  await notifyOfErrors(site.t.db, { retentionDays: 90 });
  await box.put("Alert “Flood”: 120 events in 10 minutes", { type: 17 });
  const page = await box.open("?filter=all");
  await row(page, "Alert “First errors”").getByRole("link").click();
  await preview(page).getByText("Alert", { exact: true }).waitFor();
  await preview(page).getByRole("link", { name: "Open error" }).click();
  await page.waitForURL(new RegExp(`/errors/${id}$`));
  await page.goBack();
  await row(page, "Alert “Flood”").getByRole("link").click();
  await preview(page).getByRole("link", { name: "Open errors" }).click();
  await page.waitForURL(/\/projects\/WEB\/errors$/);
  await page.leave();
});

test("a webhook that was turned off leads managers to the integrations", async () => {
  const box = await openInbox();
  await box.put("The webhook hooks.example.com of Web shop was turned off", { type: 18 });
  const page = await box.open();
  await row(page, "was turned off").getByText("Webhook · Web shop").waitFor();
  await row(page, "was turned off").getByRole("link").click();
  await page.checkAccessibility();
  await preview(page).getByRole("link", { name: "Open integrations" }).click();
  await page.waitForURL(/\/projects\/WEB\/settings\?section=integrations$/);
  await page.leave();
});
