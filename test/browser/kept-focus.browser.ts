import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { makeMember } from "../support/make.ts";
import { openErrorList } from "./error-list.ts";
import { chooseInMenu, focusOn, tabTo } from "./focus.ts";
import { makeNamedMember } from "./make-named-member.ts";
import { takeOption } from "./pick-option.ts";
import { useTestSite } from "./test-site.ts";

/* With the keyboard only: the tests do not click, fill or focus anything. */

const site = await useTestSite({ LIMIT_INGEST: "100000", LIMIT_API: "100000" });
const settings = "/projects/WEB/settings?section=";

async function post(path: string, body: object): Promise<void> {
  const answer = await site.api.post(path, body);
  assert.ok(answer.status < 300, answer.text);
}

/** Deletes the item of the focused menu, and confirms it. */
async function deleteWith(page: Page, entry: string, confirm = entry): Promise<void> {
  await chooseInMenu(page, entry);
  await focusOn(page, "button", "Cancel");
  await tabTo(page, "button", confirm);
  await page.keyboard.press("Enter");
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
}

test("deleting a label moves the focus to the section's heading, and Tab continues from there", async () => {
  for (const name of ["bug", "design"])
    await post(`/api/projects/${site.project.id}/labels`, { name, color: "#b3261e" });
  const page = await site.open(`${settings}labels`);
  for (const name of ["design", "bug"]) {
    await tabTo(page, "button", `Actions for ${name}`);
    await deleteWith(page, "Delete label");
    await focusOn(page, "heading", "Labels");
  }
  await page.keyboard.press("Tab");
  await focusOn(page, "button", "Add label");
  await page.leave();
});

test("revoking a token moves the focus to the heading even if another button had it before", async () => {
  const page = await site.open(`${settings}tokens`);
  await tabTo(page, "button", "New token");
  await page.keyboard.press("Enter");
  await focusOn(page, "textbox", "Name");
  await page.keyboard.type("Deploys");
  await page.keyboard.press("Control+Enter");
  await tabTo(page, "button", "Done");
  await page.keyboard.press("Enter");
  await focusOn(page, "button", "New token");
  await tabTo(page, "button", "Actions for Deploys");
  await deleteWith(page, "Revoke token");
  await focusOn(page, "heading", "Tokens");
  await page.leave();
});

test("deleting an inbound rule moves the focus to the section's heading", async () => {
  await post(`/api/projects/${site.project.id}/inbound-rules`, { kind: "old_browsers" });
  const page = await site.open(`${settings}inbound`);
  await tabTo(page, "button", /^Actions for/);
  await deleteWith(page, "Delete rule");
  await focusOn(page, "heading", "Inbound rules");
  await page.leave();
});

test("removing a member moves the focus to the section's heading", async () => {
  const user = await makeNamedMember(site, "Grace", "Hopper");
  await makeMember(site.t.db, site.project.id, { user, role: "Member" });
  const page = await site.open(`${settings}members`);
  await tabTo(page, "button", "Actions for Grace Hopper");
  await deleteWith(page, "Remove from project", "Remove");
  await focusOn(page, "heading", "Members");
  await page.leave();
});

test("deleting a team moves the focus to the section's heading", async () => {
  await post(`/api/workspaces/${site.workspaceId}/teams`, { name: "Shop" });
  const page = await site.open(`/workspaces/${site.workspaceId}/settings?section=teams`);
  await tabTo(page, "button", "Actions for Shop");
  await deleteWith(page, "Delete team");
  await focusOn(page, "heading", "Teams");
  await page.leave();
});

test("resolving and ignoring an error move the focus to Reopen, and reopening moves it back", async () => {
  const errors = await openErrorList(site);
  await errors.send("Alpha");
  const page = await errors.openPageOf("Alpha");
  for (const verb of [/^Resolve/, /^Ignore/]) {
    await tabTo(page, "button", verb);
    await page.keyboard.press("Enter");
    await focusOn(page, "button", /^Reopen/);
    await page.keyboard.press("Enter");
    await focusOn(page, "button", verb);
  }
  await page.leave();
});

test("a held Enter resolves an error and does nothing else", async () => {
  const errors = await openErrorList(site);
  await errors.send("Held");
  const page = await errors.openPageOf("Held");
  await tabTo(page, "button", /^Resolve/);
  await page.keyboard.down("Enter");
  await focusOn(page, "button", /^Reopen/);
  for (let repeats = 0; repeats < 3; repeats++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await page.getByText("Held resolved").waitFor();
  await focusOn(page, "button", /^Reopen/);
  assert.equal((await errors.group("Held")).status, 1);
  await page.leave();
});

test("resolving an error in the next release, from the menu, moves the focus to Reopen", async () => {
  const errors = await openErrorList(site);
  await errors.send("Next");
  const page = await errors.openPageOf("Next");
  await tabTo(page, "button", "Fixed in");
  await chooseInMenu(page, "The next release");
  await focusOn(page, "button", /^Reopen/);
  await page.leave();
});

test("marking a regressed error as open moves the focus to the page's heading", async () => {
  const errors = await openErrorList(site);
  await errors.send("Back", { release: "1.8.2" });
  const page = await errors.openPageOf("Back");
  await tabTo(page, "button", /^Resolve/);
  await page.keyboard.press("Enter");
  await page.getByText("Back resolved").waitFor();
  await errors.send("Back", { release: "1.9.0" });
  await tabTo(page, "button", /^Mark as open/);
  await page.keyboard.press("Enter");
  await focusOn(page, "heading", /^Back/);
  await page.leave();
});

test("unlinking an error moves the focus to the button that links it, and linking moves it back", async () => {
  const errors = await openErrorList(site);
  await errors.send("Link");
  const { id } = await errors.group("Link");
  await post(`/api/projects/${errors.project.id}/error-groups/${id}/promote`, {});
  const page = await errors.openPageOf("Link");
  await tabTo(page, "button", "Unlink the issue");
  await page.keyboard.press("Enter");
  await focusOn(page, "button", "Link to issue…");
  await page.getByText("Link unlinked").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: /Link happened/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await takeOption(page, /Link happened/);
  await focusOn(page, "button", "Unlink the issue");
  await page.leave();
});
