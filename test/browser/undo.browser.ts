import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { openErrorList, rowLink } from "./error-list.ts";
import { pickFilter } from "./pick-filter.ts";
import { useTestSite } from "./test-site.ts";
import { link, makeIssues, messages, pickPriority } from "./undo-project.ts";

const site = await useTestSite();
test("Ctrl Z undoes the last changes of an issue one after another, but not in a text field", async () => {
  const { key, issues, read } = await makeIssues(site, "Gift cards");
  const page = await site.open(`/projects/${key}/issues/${issues[0]?.key}`);
  await page.getByRole("heading", { level: 1, name: /Gift cards/ }).waitFor();
  await pickPriority(page, "Highest");
  await eventually(async () => (await read(0)).priority, 0);
  await page.getByRole("button", { name: "Edit title" }).click();
  const title = page.getByRole("textbox", { name: "Title" });
  await title.fill("Vouchers");
  await title.press("Control+z");
  await eventually(() => title.inputValue(), "Gift cards");
  await title.fill("Vouchers");
  await title.press("Enter");
  await title.waitFor({ state: "hidden" });
  await page.getByRole("heading", { level: 1, name: /Vouchers/ }).waitFor();
  await page.keyboard.press("Control+z");
  await page.getByRole("heading", { level: 1, name: /Gift cards/ }).waitFor();
  await messages(page).getByText(`Change to ${issues[0]?.key} undone`).waitFor();
  await page.keyboard.press("Control+z");
  await eventually(async () => {
    const issue = await read(0);
    return [issue.title, issue.priority];
  }, ["Gift cards", 2]);
  await page.leave();
});

test("a bulk change is undone, except for an issue that someone has changed since; no message covers the bar", async () => {
  const { key, url, issues, read } = await makeIssues(site, "One", "Two", "Three");
  const page = await site.open(`/projects/${key}/issues`);
  await link(page, "Three").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.getByRole("button", { name: "Select all 3" }).click();
  const bar = page.getByRole("toolbar", { name: "Actions for selected items" });
  await bar.getByRole("button", { name: /^Priority/ }).click();
  await page.getByRole("option", { name: "Highest" }).click();
  await messages(page).getByText("3 changed").waitFor();
  await eventually(async () => {
    const [barBox, messageBox] = [await bar.boundingBox(), await messages(page).boundingBox()];
    if (!barBox || !messageBox) return "missing";
    const isApart = messageBox.y + messageBox.height <= barBox.y || messageBox.y >= barBox.y + barBox.height;
    return isApart ? "apart" : "the message covers the bar";
  }, "apart");

  await site.api.patch(`${url}/issues/${issues[1]?.id}`, { priority: 4 });
  await page.getByRole("button", { name: "Priority: Lowest" }).waitFor();
  await page.keyboard.press("Control+z");
  // A message stays while the pointer is on it.
  await messages(page).getByText("Change to 3 issues undone").hover();
  await messages(page).getByText("Someone has changed 1 of them since.").waitFor();
  await eventually(
    async () => [(await read(0)).priority, (await read(1)).priority, (await read(2)).priority],
    [2, 4, 2],
  );
  // The message about the undo has replaced the one about the change.
  await eventually(() => messages(page).getByRole("group").count(), 1);
  await page.leave();
});

test("a message about the same error replaces the earlier one, and Ctrl Z undoes both changes", async () => {
  const errors = await openErrorList(site);
  await errors.send("First");
  const page = await site.open(`${errors.url}?tab=all`);
  await rowLink(page, "First").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  await messages(page).getByText("First resolved").waitFor();
  await page.keyboard.press("h");
  await messages(page).getByText("First ignored").waitFor();
  await messages(page).getByText("First resolved").waitFor({ state: "detached" });
  await messages(page).getByRole("button", { name: "Undo" }).click();
  await messages(page).getByText("Undone: First ignored").waitFor();
  await eventually(async () => (await errors.group("First")).status, 1);
  await page.keyboard.press("Control+z");
  await eventually(async () => (await errors.group("First")).status, 0);
  await page.leave();
});

test("after an undo, the Regressed tab shows the error again with its mark and count", async () => {
  const errors = await openErrorList(site);
  await errors.send("Back", { release: "1.0.0" });
  const { id } = await errors.group("Back");
  const path = `/api/projects/${errors.project.id}/error-groups/${id}`;
  for (const release of ["1.1.0", "1.2.0"]) {
    await site.api.post(`${path}/resolve`);
    await errors.send("Back", { release });
  }
  const before = await errors.group("Back");
  assert.equal(before.reopen_count, 2);
  const page = await site.open(`${errors.url}?tab=regressed`);
  await rowLink(page, "Back").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  await messages(page).getByText("Back resolved").waitFor();
  await eventually(async () => (await errors.group("Back")).status, 1);
  await page.keyboard.press("Control+z");
  await messages(page).getByText("Undone: Back resolved").waitFor();
  await rowLink(page, "Back").waitFor();
  const { updated_at: _, ...restored } = await errors.group("Back");
  const { updated_at: __, ...expected } = before;
  assert.deepEqual(restored, expected);
  await page.keyboard.press("Control+z");
  await messages(page).getByText("Nothing to undo").waitFor();
  await page.leave();
});

test("an undo says that an event has reopened the error since", async () => {
  const errors = await openErrorList(site);
  await errors.send("Again", { release: "1.0.0" });
  const page = await errors.openPageOf("Again");
  await page
    .getByRole("button", { name: /^Resolve/ })
    .first()
    .waitFor();
  await page.keyboard.press("e");
  await messages(page).getByText("Again resolved").waitFor();
  await eventually(async () => (await errors.group("Again")).status, 1);
  await errors.send("Again", { release: "1.1.0" });
  await page.getByText(/^Regressed.*Reopened by release 1\.1\.0/).waitFor();
  await page.keyboard.press("Control+z");
  await messages(page).getByText("Nothing undone").waitFor();
  await messages(page).getByText("A new event has reopened the error since.").waitFor();
  await page.leave();
});

test("closing an issue says which error it resolved, with a link, and Ctrl Z undoes it", async () => {
  const errors = await openErrorList(site);
  await errors.send("Fixed", { release: "1.0.0" });
  const { id } = await errors.group("Fixed");
  const url = `/api/projects/${errors.project.id}`;
  await site.api.patch(url, { lifecycle: { close_resolves: true } });
  const issue = (await site.api.post(`${url}/issues`, { title: "Fix it" })).body;
  await site.api.post(`${url}/error-groups/${id}/link`, { issue: issue.key });
  const page = await site.open(`/projects/${errors.project.key}/issues/${issue.key}`);
  await page.getByRole("button", { name: /^(Status|Lane)/ }).click();
  await page.getByRole("option", { name: "Done" }).click();
  await messages(page).getByText(`${issue.key} closed`).waitFor();
  // A message stays while the pointer is on it.
  await messages(page).getByText("Fixed resolved in the next release.").hover();
  const progress = page.getByRole("list", { name: "Progress" });
  await progress.getByText("Closed").waitFor();
  await eventually(() => progress.getByText("In progress").count(), 0);
  await messages(page).getByRole("button", { name: "Open the error" }).click();
  await page.waitForURL(new RegExp(`/errors/${id}$`));
  await page.keyboard.press("Control+z");
  await eventually(async () => (await errors.group("Fixed")).status, 0);
  await page.leave();
});

test("errors are assigned and snoozed together, found by filters, and undone together", async () => {
  const errors = await openErrorList(site);
  for (const name of ["Alpha", "Beta", "Gamma"]) await errors.send(name);
  const page = await site.open(errors.url);
  const bar = page.getByRole("toolbar", { name: "Actions for selected items" });
  await page.getByRole("checkbox", { name: "Select Alpha" }).click();
  await page.getByRole("checkbox", { name: "Select Beta" }).click();
  await bar.getByRole("button", { name: "Assign" }).click();
  await page.getByRole("option", { name: /Ada Moss/ }).click();
  await eventually(() => page.getByRole("button", { name: "Assignee: Ada Moss" }).count(), 2);
  await messages(page).getByText("2 errors assigned").waitFor();
  await bar.getByRole("button", { name: "Snooze" }).click();
  await page.getByRole("menuitem", { name: "More events…" }).click();
  await page.getByRole("dialog", { name: "Snooze 2 errors" }).getByLabel("More events").fill("50");
  await page.keyboard.press("Enter");
  await page.getByText("2 ignored until 50 more events").waitFor();
  await eventually(async () => (await errors.group("Alpha")).snoozed_until, { occurrences: 50 });
  await pickFilter(page, "Assignee", "Nobody");
  await page.getByRole("navigation", { name: "Status" }).getByRole("link", { name: /^All/ }).click();
  await rowLink(page, "Gamma").waitFor();
  await eventually(() => rowLink(page, "Alpha").count(), 0);
  await page.getByRole("button", { name: /^Sort by/ }).click();
  await page.getByRole("menuitemradio", { name: "Impact", exact: true }).click();
  await page.waitForURL(/assignee=none.*sort=impact|sort=impact.*assignee=none/);
  await page.keyboard.press("Control+z");
  await messages(page).getByText("Undone: 2 errors ignored until 50 more events").waitFor();
  await eventually(async () => (await errors.group("Beta")).status, 0);
  await page.keyboard.press("Control+z");
  await messages(page).getByText("Undone: 2 errors assigned").waitFor();
  await eventually(async () => (await errors.group("Beta")).assignee_id, null);
  await page.leave();
});
