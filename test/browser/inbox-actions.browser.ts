import assert from "node:assert/strict";
import { test } from "node:test";
import type { Notification } from "../../src/shared/notifications.ts";
import { eventually } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";
import { openBox, preview, row, rows } from "./inbox-page.ts";

const site = await useTestSite();
const openInbox = (...messages: string[]) => openBox(site, ...messages);

async function makeIssue(title: string): Promise<{ id: number; key: string; title: string }> {
  const answer = await site.api.post(`/api/projects/${site.project.id}/issues`, { title });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

test("all notifications are read with the mouse, which can be undone, and the counts in title and sidebar follow immediately", async () => {
  const box = await openInbox("First", "Second", "Third");
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
  const message = page.getByRole("group", { name: "2 notifications marked as read" });
  await message.getByRole("button", { name: "Undo" }).click();
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
  const box = await openInbox("One", "Two", "Three");
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
  await page.getByRole("link", { name: "Show all notifications" }).click();
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

test("keys act on the row with the focus, even if it got the focus before the first one was open", async () => {
  const box = await openInbox("Focused", "Newest");
  const page = await site.open("/assets/none.txt", { as: box.user, newContext: true });
  await page.addInitScript(() =>
    new MutationObserver((_, observer) => {
      const [, second] = document.querySelectorAll<HTMLElement>("[role=listitem] [data-row]");
      if (!second) return;
      observer.disconnect();
      second.focus();
    }).observe(document, { subtree: true, childList: true }),
  );
  await page.goto("/notifications");
  await preview(page).getByRole("heading", { name: "Newest" }).waitFor();
  await page.keyboard.press("e");
  await eventually(box.entries, [
    ["Newest", false],
    ["Focused", true],
  ]);
  await page.leave();
});

test("a deletion can be undone; otherwise it is sent when the page is left", async () => {
  const box = await openInbox("Stays", "Goes");
  const page = await box.open();
  await row(page, "Goes").getByRole("link").focus();
  await page.keyboard.press("Backspace");
  // A message stays while the pointer is on it.
  await page.getByRole("button", { name: "Undo" }).hover();
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
  const box = await openInbox("Stays", "Done", "Goes");
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
  const box = await openInbox("Stays", "Goes");
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
  await page.getByText("Notifications could not be marked as read.").waitFor();
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
  const box = await openInbox("Stays", "Goes");
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
  const box = await openInbox("Alpha", "Beta", "Gamma");
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
  const box = await openInbox("Here", "Gone");
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
  const box = await openInbox("Old");
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
