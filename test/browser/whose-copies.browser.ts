import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { makeCookie, makeUser, type TestUser } from "../support/make.ts";
import { makePerson, PASSWORD } from "../support/person.ts";
import { changeRows, readKept, waitUntilKept } from "./kept-copies.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const p = `/api/projects/${site.project.id}`;
const SECRET = "Merger with Initech";
await site.create("/issues", { title: SECRET });

const keeps = async (page: TestPage, text: string) => (await readKept(page)).includes(text);

/** Opens the list of issues as a new member and waits until the browser has kept it. */
async function openKept(user: TestUser): Promise<TestPage> {
  const page = await site.open("/projects/WEB/issues", { as: user, keeps: true });
  await page.getByRole("link", { name: SECRET, exact: true }).waitFor();
  await waitUntilKept(page, SECRET);
  await waitUntilKept(page, user.email);
  return page;
}

/** Fails if the browser keeps anything that names the secret or the person. */
async function assertEmptied(page: TestPage, user: TestUser): Promise<void> {
  await eventually(() => keeps(page, SECRET), false);
  assert.equal(await keeps(page, user.email), false);
}

async function signOut(page: TestPage): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
}

test("signing out deletes the copies before the page is left", async () => {
  const user = await site.member("Member");
  const page = await openKept(user);
  await signOut(page);
  await assertEmptied(page, user);
  await page.leave();
});

test("a session that ends deletes the copies before the sign-in page is shown", async () => {
  const user = await site.member("Member");
  const page = await openKept(user);
  await site.t.db.deleteFrom("sessions").where("user_id", "=", user.id).execute();
  await page.goto("/projects/WEB/issues");
  await page.waitForURL("**/sign-in?**");
  await assertEmptied(page, user);
  await page.leave();
});

test("deactivating a person deletes their copies", async () => {
  const user = await site.member("Member");
  const page = await openKept(user);
  await site.api.patch(`/api/workspaces/${site.workspaceId}/members/${user.id}`, { active: false });
  await page.goto("/projects/WEB/issues");
  await eventually(() => keeps(page, SECRET), false);
  page.complaints.splice(0);
  await page.leave();
});

test("losing a project deletes the copies, also while the page is open", async () => {
  const user = await site.member("Member");
  const page = await openKept(user);
  const removed = await site.api.delete(`${p}/members/${user.id}`);
  assert.equal(removed.status, 204, removed.text);
  await eventually(() => keeps(page, SECRET), false);
  await page.goto("/projects/WEB/issues");
  await page.getByRole("heading", { name: "Not found", level: 1 }).waitFor();
  assert.equal(await keeps(page, SECRET), false);
  await page.leave();
});

test("a role with fewer permissions deletes the copies", async () => {
  const user = await site.member("Member");
  const page = await openKept(user);
  const { body: roles } = await site.api.get(`/api/workspaces/${site.workspaceId}/roles`);
  const reporter = (roles.data as { id: number; name: string }[]).find(({ name }) => name === "Reporter");
  const changed = await site.api.patch(`${p}/members/${user.id}`, { role_id: reporter?.id });
  assert.equal(changed.status, 200, changed.text);
  await eventually(() => keeps(page, SECRET), false);
  await page.leave();
});

test("the copy of an issue is deleted once the server says that it is gone", async () => {
  const issue = await site.create("/issues", { title: "Passing", description: "Only in the details" });
  const page = await site.open(`/projects/WEB/issues/${issue.key}`, { keeps: true });
  await page.getByText("Only in the details").waitFor();
  await waitUntilKept(page, "Only in the details");
  const deleted = await site.api.delete(`${p}/issues/${issue.id}`);
  assert.equal(deleted.status, 204, deleted.text);
  await page.reload();
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await eventually(() => keeps(page, "Only in the details"), false);
  await page.leave();
});

test("another person who signs in on the same browser sees and finds nothing of the person before", async () => {
  const user = await site.member("Member");
  const page = await openKept(user);
  // The session expires while no page is open.
  await page.goto("/assets/none.txt");
  await site.t.db.deleteFrom("sessions").where("user_id", "=", user.id).execute();
  await page.context().clearCookies();
  const other = await makePerson(site.t);
  await page.goto("/sign-in?return_to=/projects/WEB/issues");
  await page.getByLabel("Email").fill(other.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.evaluate(watchFor, SECRET);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Not found", level: 1 }).waitFor();
  await assertUnseen(page);
  await assertEmptied(page, user);
  await page.leave();
});

test("a session of another person that was opened outside of the app shows nothing of the person before", async () => {
  const user = await site.member("Member");
  const page = await openKept(user);
  await page.goto("/assets/none.txt");
  const other = await makeUser(site.t.db);
  const [name = "", value = ""] = (await makeCookie(site.t.db, other.id)).split("=");
  // As the identity provider's redirect does.
  await page.context().addCookies([
    { name, value, url: site.url, httpOnly: true, sameSite: "Lax" },
    { name: "new_session", value: "1", url: site.url },
  ]);
  await page.addInitScript(watchFor, SECRET);
  await page.goto("/projects/WEB/issues");
  await page.getByRole("heading", { name: "Not found", level: 1 }).waitFor();
  await assertUnseen(page);
  await assertEmptied(page, user);
  await page.leave();
});

/** Marks the document if the text is ever shown. */
function watchFor(text: string) {
  new MutationObserver(() => {
    if (document.body?.textContent?.includes(text)) document.documentElement.dataset["seen"] = "1";
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

const assertUnseen = async (page: TestPage) =>
  assert.equal(await page.evaluate(() => document.documentElement.dataset["seen"]), undefined);

const OLD = { hash: '["old"]', json: '"From an earlier build"', updated_at: 1, bytes: 1 };

test("copies of another build are not shown, and replaced", async () => {
  const user = await site.member("Member");
  const page = await openKept(user);
  await page.goto("/assets/none.txt");
  await changeRows(page, "about", { build: "earlier" });
  await changeRows(page, "copies", {}, { ...OLD, written_at: Date.now() });
  const answered = Promise.withResolvers<void>();
  await page.context().route("**/api/boot**", async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.goto("/projects/WEB/issues");
  assert.equal(await page.getByRole("link", { name: SECRET, exact: true }).count(), 0);
  answered.resolve();
  await page.getByRole("link", { name: SECRET, exact: true }).waitFor();
  await eventually(() => keeps(page, "From an earlier build"), false);
  await waitUntilKept(page, SECRET);
  await page.leave();
});
