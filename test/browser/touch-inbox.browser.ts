import { test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually } from "../support/eventually.ts";
import { makeNotification } from "../support/inbox.ts";
import { created } from "./board-page.ts";
import { openBox, preview, row } from "./inbox-page.ts";
import { PHONE, useTestSite } from "./test-site.ts";

/* Journeys by touch only, on a phone: the tests tap and type, and press no key. */

const site = await useTestSite();

test("a notification is opened and answered", async () => {
  const box = await openBox(site);
  const issues = `/api/projects/${site.project.id}/issues`;
  const { id } = (await created(site, issues, { title: "Checkout fails" })) as { id: number };
  await created(site, `${issues}/${id}/comments`, { content: `@${box.user.username} can you look?` });
  const page = await site.open("/notifications", { as: box.user, ...PHONE });
  await row(page, "can you look?").getByRole("link").tap();
  await preview(page).getByRole("textbox", { name: "Reply" }).tap();
  await page.keyboard.insertText("I will.");
  await preview(page).getByRole("button", { name: "Reply", exact: true }).tap();
  await preview(page).locator("p", { hasText: "I will." }).waitFor();
  await preview(page)
    .getByRole("link", { name: /^Open / })
    .tap();
  await page.getByRole("heading", { level: 1, name: /Checkout fails/ }).waitFor();
  await page.leave();
});

test("notifications are marked as read, alone and all, and each is undone", async () => {
  const box = await openBox(site, "First", "Second");
  const page = await site.open("/notifications", { as: box.user, ...PHONE });
  const messages = page.getByRole("log", { name: "Messages" });
  await row(page, "Second").getByRole("link").tap();
  await preview(page).getByRole("button", { name: "Mark as read" }).tap();
  await messages.getByRole("button", { name: "Undo" }).tap();
  await preview(page).getByRole("button", { name: "Close" }).tap();
  await row(page, "Second").waitFor();
  await page.getByRole("button", { name: "Mark all as read" }).tap();
  await row(page, "First").waitFor({ state: "detached" });
  await messages.getByRole("button", { name: "Undo" }).tap();
  await row(page, "First").waitFor();
  await eventually(box.entries, [
    ["Second", false],
    ["First", false],
  ]);
  await page.leave();
});

test("a row shows the earlier notifications about an issue, also those that are far down the inbox", async () => {
  const box = await openBox(site);
  const issues = `/api/projects/${site.project.id}/issues`;
  const issue = (await created(site, issues, { title: "Checkout fails" })) as Issue;
  const about = { workspace_id: site.workspaceId, project_id: site.project.id, issue };
  const tell = (message: string) => makeNotification(site.t.db, box.user, about, { message });
  await tell("An early comment");
  for (let count = 0; count < 100; count++) await box.put(`Message ${count}`);
  await tell("The latest comment");
  const page = await site.open("/notifications", { as: box.user, ...PHONE });
  await row(page, "The latest comment").getByText("2 unread").waitFor();
  await page.getByRole("button", { name: "Show earlier: The latest comment" }).tap();
  await row(page, "An early comment").getByRole("link").tap();
  await preview(page).getByText("An early comment").first().waitFor();
  await page.leave();
});
