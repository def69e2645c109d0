import assert from "node:assert/strict";
import { test } from "node:test";
import type { Notification } from "../../src/shared/notifications.ts";
import type { Client } from "../support/client.ts";
import { makeNotification } from "../support/inbox.ts";
import { makeMember, type TestUser } from "../support/make.ts";
import { openProject } from "../support/project.ts";
import { eventually } from "../support/eventually.ts";
import { pickFilter } from "./pick-filter.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

type Box = {
  user: TestUser;
  client: Client;
  put(message: string, overrides?: Parameters<typeof makeNotification>[3]): Promise<number>;
  open(search?: string, options?: { theme?: "light" | "dark"; width?: number }): Promise<TestPage>;
  /** The message and read state of each entry on the server, newest first. */
  entries(): Promise<[string, boolean][]>;
};

/** Creates a user with these messages in the inbox, the last one newest. */
async function openBox(...messages: string[]): Promise<Box> {
  const user = await makeMember(site.t.db, site.project.id, { role: "Manager" });
  const client = await site.clientOf(user);
  const about = { workspace_id: site.workspaceId, project_id: site.project.id };
  const put: Box["put"] = (message, overrides = {}) =>
    makeNotification(site.t.db, user, about, { message, actor_id: site.owner.id, ...overrides });
  for (const message of messages) await put(message);
  return {
    user,
    client,
    put,
    open: (search = "", options = {}) => site.open(`/notifications${search}`, { as: user, ...options }),
    entries: async () =>
      ((await client.get("/api/notifications")).body as Notification[]).map(({ message, read_at }) => [
        message,
        read_at !== null,
      ]),
  };
}

const rows = (page: TestPage) => page.getByRole("list", { name: "Notifications" }).getByRole("listitem");
const row = (page: TestPage, message: string) => rows(page).filter({ hasText: message });
const preview = (page: TestPage) => page.getByRole("region", { name: "Notification", exact: true });

async function makeIssue(title: string): Promise<{ id: number; key: string; title: string }> {
  const answer = await site.api.post(`/api/projects/${site.project.id}/issues`, { title });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

test("all notifications are read with the mouse, which can be undone, and the counts in title and sidebar follow immediately", async () => {
  const box = await openBox("First", "Second", "Third");
  const page = await box.open();
  await row(page, "Third").getByRole("link").click();
  await page.waitForURL(/item=/);
  await eventually(() => page.title(), "(3) Inbox · Signalbox");
  await page.checkAccessibility();
  await preview(page).getByRole("button", { name: "Mark as read" }).click();
  await preview(page).getByRole("heading", { name: "Second" }).waitFor();
  await eventually(() => page.title(), "(2) Inbox · Signalbox");
  await page.getByRole("navigation", { name: "Main" }).getByText("2 unread").waitFor();
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await page.getByText("2 notifications marked as read").first().waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually(() => page.title(), "(2) Inbox · Signalbox");
  await eventually(box.entries, [
    ["Third", true],
    ["Second", false],
    ["First", false],
  ]);
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await page.getByRole("heading", { name: "Inbox zero" }).waitFor();
  await eventually(() => page.title(), "Inbox · Signalbox");
  await eventually(box.entries, [
    ["Third", true],
    ["Second", true],
    ["First", true],
  ]);
  await page.checkAccessibility();
  await page.leave();
});

test("the first notification is open; all are read with the keyboard only, and U marks one as unread", async () => {
  const box = await openBox("One", "Two", "Three");
  const page = await box.open("", { theme: "dark" });
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await preview(page).getByRole("heading", { name: "Three" }).waitFor();
  await page.keyboard.press("j");
  await eventually(focused, "Unread: Two");
  await preview(page).getByRole("heading", { name: "Two" }).waitFor();
  await page.checkAccessibility();
  await page.keyboard.press("e");
  await preview(page).getByRole("heading", { name: "One" }).waitFor();
  await page.keyboard.press("Escape");
  await eventually(focused, "Unread: One");
  await page.keyboard.press("e");
  await eventually(focused, "Unread: Three");
  await page.keyboard.press("e");
  await page.getByRole("heading", { name: "Inbox zero" }).waitFor();
  await page.getByRole("link", { name: "Show read notifications" }).click();
  await row(page, "Two").getByRole("link").focus();
  await page.keyboard.press("u");
  await eventually(() => page.title(), "(1) Inbox · Signalbox");
  await eventually(box.entries, [
    ["Three", true],
    ["Two", false],
    ["One", true],
  ]);
  await page.leave();
});

test("a deletion can be undone; otherwise it is sent when the page is left", async () => {
  const box = await openBox("Stays", "Goes");
  const page = await box.open();
  await row(page, "Goes").getByRole("link").focus();
  await page.keyboard.press("Backspace");
  await row(page, "Goes").waitFor({ state: "detached" });
  await eventually(() => page.title(), "(1) Inbox · Signalbox");
  await page.getByRole("button", { name: "Undo" }).click();
  await row(page, "Goes").waitFor();
  await eventually(() => page.title(), "(2) Inbox · Signalbox");
  await row(page, "Goes").getByRole("link").focus();
  await page.keyboard.press("Backspace");
  await row(page, "Goes").waitFor({ state: "detached" });
  await page.goto("/my-issues");
  await eventually(box.entries, [["Stays", false]]);
  await page.leave();
});

test("signing out first sends actions that could still be undone", async () => {
  const box = await openBox("Stays", "Done", "Goes");
  const page = await box.open();
  await row(page, "Done").getByRole("link").focus();
  await page.keyboard.press("e");
  await row(page, "Goes").getByRole("link").focus();
  await page.keyboard.press("Backspace");
  await row(page, "Goes").waitFor({ state: "detached" });
  await page.getByRole("navigation", { name: "Main" }).getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await eventually(
    () => box.entries(),
    [
      ["Done", true],
      ["Stays", false],
    ],
  );
  await page.leave();
});

test("a rejected mark does not restore entries that were deleted since", async () => {
  const box = await openBox("Stays", "Goes");
  const page = await box.open("?filter=all");
  const [goes] = (await box.client.get("/api/notifications")).body as Notification[];
  let refuse = () => {};
  const refused = new Promise<void>((resolve) => (refuse = resolve));
  await page.route("**/bulk-read", async (route) => {
    await refused;
    await route.fulfill({ status: 409, json: { message: "Not now." } });
  });
  await row(page, "Goes").getByRole("link").focus();
  const asked = page.waitForRequest("**/bulk-read");
  await page.keyboard.press("e");
  await asked;
  await row(page, "Goes").getByRole("link").focus();
  await page.keyboard.press("Backspace");
  await row(page, "Goes").waitFor({ state: "detached" });
  refuse();
  await page.getByText("Could not mark as read.").waitFor();
  await eventually(() => row(page, "Goes").count(), 0);
  await page.goto("/my-issues");
  await eventually(
    async () =>
      ((await box.client.get("/api/notifications")).body as Notification[]).some(({ id }) => id === goes?.id),
    false,
  );
  await page.leave();
});

test("a page restored by the browser shows the result of requests sent when it was left", async () => {
  const box = await openBox("Stays", "Goes");
  const page = await box.open();
  await page.route("**/bulk-delete", (route) =>
    route.fulfill({ status: 409, json: { message: "Not now." } }),
  );
  await row(page, "Goes").getByRole("link").focus();
  await page.keyboard.press("Backspace");
  await row(page, "Goes").waitFor({ state: "detached" });
  const asked = page.waitForResponse("**/bulk-delete");
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
  await asked;
  await eventually(() => row(page, "Goes").count(), 0);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await row(page, "Goes").waitFor();
  await page.leave();
});

test("selected entries are marked or deleted together", async () => {
  const box = await openBox("Alpha", "Beta", "Gamma");
  const page = await box.open("?filter=all");
  await row(page, "Gamma").getByRole("checkbox").check();
  await row(page, "Beta").getByRole("link").focus();
  await page.keyboard.press("x");
  await page.getByText("2 notifications selected").waitFor();
  await page.checkAccessibility();
  await page.getByRole("toolbar").getByRole("button", { name: "Mark as read" }).click();
  await eventually(box.entries, [
    ["Gamma", true],
    ["Beta", true],
    ["Alpha", false],
  ]);
  await row(page, "Gamma").getByRole("checkbox").check();
  await row(page, "Alpha").getByRole("checkbox").check();
  await page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
  await eventually(() => rows(page).count(), 1);
  await eventually(box.entries, [["Beta", true]]);
  await page.leave();
});

test("an entry deleted in another window does not prevent marking the others", async () => {
  const box = await openBox("Here", "Gone");
  const page = await box.open();
  await row(page, "Gone").waitFor();
  const [gone] = (await box.client.get("/api/notifications")).body as Notification[];
  await page.route("**/api/events?*", (route) => route.fulfill({ status: 429 }));
  await box.client.post("/api/notifications/bulk-delete", { notification_ids: [gone?.id] });
  await row(page, "Here").getByRole("checkbox").check();
  await page.keyboard.press("e");
  await eventually(box.entries, [["Here", true]]);
  await page.leave();
});

test("new entries wait behind a button and do not move the list", async () => {
  const box = await openBox("Old");
  const page = await box.open();
  await row(page, "Old").waitFor();
  const other = await site.clientOf(site.owner);
  const issue = await makeIssue("Checkout fails");
  const answer = await other.patch(`/api/projects/${site.project.id}/issues/${issue.id}`, {
    assignee_id: box.user.id,
  });
  assert.equal(answer.status, 200, answer.text);
  const pill = page.getByRole("button", { name: "1 new" });
  await pill.waitFor();
  await eventually(() => rows(page).count(), 1);
  await pill.click();
  await row(page, "Checkout fails").getByRole("link").click();
  await preview(page).getByRole("heading", { name: "Checkout fails", exact: true }).waitFor();
  await preview(page)
    .getByRole("link", { name: `Open ${issue.key}` })
    .click();
  await page.waitForURL(new RegExp(`/issues/${issue.key}$`));
  await eventually(async () => (await box.entries()).map(([, read]) => read), [true, false]);
  await page.leave();
});

test("an entry shows the latest comments", async () => {
  const box = await openBox();
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
  const box = await openBox();
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

test("filters are kept in the URL, and an empty result offers to clear them", async () => {
  const box = await openBox("Plain");
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
  const box = await openBox();
  for (let n = 1; n <= 105; n++) await box.put(`Entry ${n}`);
  const page = await box.open();
  await row(page, "Entry 105").waitFor();
  await page.getByRole("button", { name: "Show older notifications" }).click();
  await page.getByRole("button", { name: "Show older notifications" }).waitFor({ state: "detached" });
  await eventually(() => rows(page).first().getAttribute("aria-setsize"), "105");
  await page.leave();
});

test("a switch is saved immediately and flips back if the change is rejected", async () => {
  const box = await openBox();
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
  const box = await openBox("Before");
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

test("Z snoozes until a time, which can be undone, and the Snoozed tab returns the entry", async () => {
  const box = await openBox("Stays", "Later");
  const page = await box.open();
  const snoozed = async () =>
    ((await box.client.get("/api/notifications?snoozed=true")).body as Notification[]).map(
      ({ message }) => message,
    );
  await row(page, "Later").getByRole("link").focus();
  await page.keyboard.press("z");
  await page.getByRole("dialog").getByLabel("Date and time").waitFor();
  await page.checkAccessibility();
  await page.getByRole("button", { name: /^Tomorrow/ }).click();
  await row(page, "Later").waitFor({ state: "detached" });
  await eventually(() => page.title(), "(1) Inbox · Signalbox");
  await page.getByRole("button", { name: "Undo" }).click();
  await row(page, "Later").waitFor();
  await row(page, "Later").getByRole("link").focus();
  await page.keyboard.press("z");
  await page.getByRole("button", { name: /^Tomorrow/ }).click();
  await row(page, "Later").waitFor({ state: "detached" });
  await page.goto("/notifications?filter=snoozed");
  await eventually(snoozed, ["Later"]);
  await page.reload();
  await row(page, "Later").getByRole("link").focus();
  await page.keyboard.press("u");
  await page.getByRole("heading", { name: "Nothing is snoozed" }).waitFor();
  await page.goto("/notifications");
  await eventually(snoozed, []);
  await page.reload();
  await row(page, "Later").waitFor();
  await page.leave();
});

test("a new report is shown with its text, and ⇧M stops watching, which can be undone", async () => {
  const box = await openBox();
  const watch = `/api/projects/${site.project.id}/reports/watch`;
  await box.client.put(watch, { watching: true });
  const isWatching = async () =>
    (await box.client.get(watch)).body.report_watcher_ids.includes(box.user.id) as boolean;
  const { body } = await site.api.post(`/api/projects/${site.project.id}/reports`, {
    title: "Login broken",
    description: "Nothing *happens*.",
  });
  const page = await box.open();
  await row(page, "Nothing happens.").waitFor();
  await preview(page).getByText("Nothing happens.").waitFor();
  await preview(page).getByText(`Report #${body.id}`).waitFor();
  await preview(page).getByRole("link", { name: "Open report" }).waitFor();
  await page.checkAccessibility();
  await page.keyboard.press("Shift+M");
  await page.getByText("No longer watching reports of Web shop").first().waitFor();
  assert.equal(await isWatching(), false);
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually(isWatching, true);
  await page.leave();
});

test("an error that is assigned appears in the open inbox, is found by its type, and leads to the error", async () => {
  const box = await openBox("Something else");
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
