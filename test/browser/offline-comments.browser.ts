import assert from "node:assert/strict";
import { test } from "node:test";
import type { Comment } from "../../src/shared/comments.ts";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually, waitUntil } from "../support/eventually.ts";
import { checkBothLooks, leaveOffline, openLive, tellOnline } from "./offline-page.ts";
import { createIssue, pageOf } from "./issue-page.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const COMMENTS = "**/comments";

const field = (page: TestPage) => page.getByRole("textbox", { name: "Write a comment" });
const sendButton = (page: TestPage) =>
  page.getByRole("form", { name: "Write a comment" }).getByRole("button", { name: "Comment", exact: true });
const cardOf = (page: TestPage, text: string) => page.getByRole("article").filter({ hasText: text });
const banner = (page: TestPage) => page.getByRole("status").filter({ hasText: /chang/ });
const list = (page: TestPage) => page.getByRole("list", { name: "Changes that have not been sent" });

async function write(page: TestPage, text: string): Promise<void> {
  await field(page).fill(text);
  // While an earlier comment is being sent, the field does not send another.
  await sendButton(page).and(page.locator(":not([aria-busy])")).waitFor();
  await field(page).press("Control+Enter");
}

const contentsOf = async ({ id }: Issue): Promise<string[]> => {
  const { body } = await site.api.get(`/api/projects/${site.project.id}/issues/${id}/comments`);
  return (body.data as Comment[]).map(({ content }) => content);
};

/** Comments do not reach the server until the returned function is called. */
async function blockComments(page: TestPage): Promise<() => Promise<void>> {
  await page.route(COMMENTS, (route) =>
    route.request().method() === "POST" ? route.abort("internetdisconnected") : route.continue(),
  );
  return async () => {
    await page.unroute(COMMENTS);
    await tellOnline(page);
  };
}

test("comments written offline are shown as waiting and sent in their order when the connection is back", async () => {
  const issue = await createIssue(site, "Written on a train");
  const page = await openLive(site, pageOf(issue));
  await field(page).waitFor();
  await page.context().setOffline(true);
  await page.getByText("No connection to the server. This page").waitFor();
  for (const text of ["First thought", "Second thought"]) {
    await write(page, text);
    await cardOf(page, text).getByText("Waiting for the connection").waitFor();
    await eventually(() => field(page).inputValue(), "");
  }
  await banner(page).getByText("2 changes are waiting to be sent.").waitFor();
  await page.getByRole("button", { name: "Show 2 changes" }).click();
  await checkBothLooks(page);
  assert.deepEqual(await contentsOf(issue), []);
  await page.context().setOffline(false);
  await eventually(() => contentsOf(issue), ["First thought", "Second thought"]);
  await cardOf(page, "Second thought").getByRole("button", { name: "Reply" }).waitFor();
  await cardOf(page, "First thought").getByRole("button", { name: "Reply" }).waitFor();
  await banner(page).waitFor({ state: "hidden" });
  await leaveOffline(page);
});

test("a waiting comment is still there after a reload, and is sent later", async () => {
  const issue = await createIssue(site, "Reloaded");
  const page = await site.open(pageOf(issue), { newContext: true });
  const unblock = await blockComments(page);
  await write(page, "Survives");
  await cardOf(page, "Survives").getByText("Waiting for the connection").waitFor();
  await page.reload();
  await cardOf(page, "Survives")
    .getByText(/Waiting for the connection|Sending/)
    .waitFor();
  await eventually(() => field(page).inputValue(), "");
  await unblock();
  await cardOf(page, "Survives").getByRole("button", { name: "Reply" }).waitFor();
  assert.deepEqual(await contentsOf(issue), ["Survives"]);
  await leaveOffline(page);
});

test("a reply written offline waits in its thread and is sent to it", async () => {
  const issue = await createIssue(site, "With a thread");
  const path = `/issues/${issue.id}/comments`;
  const root = await site.create(path, { content: "The question" });
  const page = await site.open(pageOf(issue), { newContext: true });
  const unblock = await blockComments(page);
  await cardOf(page, "The question").getByRole("button", { name: "Reply" }).click();
  await page.getByRole("textbox", { name: "Reply" }).fill("The answer");
  await page.keyboard.press("Control+Enter");
  const replies = page.getByRole("list", { name: "Replies" });
  await replies.getByText("Waiting for the connection").waitFor();
  await unblock();
  await replies.getByRole("button", { name: "Reply" }).waitFor();
  const { body } = await site.api.get(`/api/projects/WEB${path}`);
  assert.deepEqual(
    (body.data as Comment[]).map(({ content, parent_id }) => [content, parent_id]),
    [
      ["The question", null],
      ["The answer", root.id],
    ],
  );
  await leaveOffline(page);
});

test("canceling a waiting comment returns its text and the focus to the field, and nothing is sent", async () => {
  const issue = await createIssue(site, "Second thoughts");
  const page = await openLive(site, pageOf(issue));
  await field(page).waitFor();
  await page.context().setOffline(true);
  await write(page, "Better not");
  await cardOf(page, "Better not").getByRole("button", { name: "Cancel" }).press("Enter");
  await eventually(() => page.getByRole("article").count(), 0);
  await eventually(() => field(page).inputValue(), "Better not");
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Write a comment");
  await page.context().setOffline(false);
  await page.getByText("No connection to the server.").first().waitFor({ state: "hidden" });
  await write(page, "This instead");
  await cardOf(page, "This instead").getByRole("button", { name: "Reply" }).waitFor();
  assert.deepEqual(await contentsOf(issue), ["This instead"]);
  await leaveOffline(page);
});

test("the list of waiting changes names them, links to them and cancels them by keyboard", async () => {
  const issue = await createIssue(site, "Listed");
  const page = await openLive(site, pageOf(issue));
  await field(page).waitFor();
  await page.context().setOffline(true);
  await page.getByText("No connection to the server. This page").waitFor();
  for (const text of ["Keep this", "Drop this"]) {
    await write(page, text);
    await cardOf(page, text).waitFor();
  }
  await page.getByRole("button", { name: "Show 2 changes" }).press("Enter");
  const dropped = list(page).getByRole("listitem").filter({ hasText: "Drop this" });
  await dropped.getByRole("link", { name: `Comment on ${issue.key}` }).waitFor();
  await page.checkAccessibility();
  await dropped.getByRole("button", { name: `Cancel: Comment on ${issue.key}` }).press("Enter");
  await eventually(() => list(page).getByRole("listitem").count(), 1);
  await page.context().setOffline(false);
  await eventually(() => contentsOf(issue), ["Keep this"]);
  await eventually(() => field(page).inputValue(), "Drop this");
  await leaveOffline(page);
});

test("a comment that the server rejects is listed with the reason, and its text returns to the field", async () => {
  const issue = await createIssue(site, "Rejected");
  const page = await site.open(pageOf(issue), { newContext: true });
  let isOffline = true;
  await page.route(COMMENTS, (route) => {
    if (route.request().method() !== "POST") return route.continue();
    if (isOffline) return route.abort("internetdisconnected");
    return route.fulfill({
      status: 422,
      json: { message: "Invalid.", errors: { content: ["is not polite."] } },
    });
  });
  await write(page, "An outburst");
  await cardOf(page, "An outburst").getByText("Waiting for the connection").waitFor();
  isOffline = false;
  await tellOnline(page);
  const message = page.getByRole("group", { name: `Not sent: Comment on ${issue.key}` });
  await message.getByText("Is not polite.").waitFor();
  await eventually(() => field(page).inputValue(), "An outburst");
  await eventually(() => page.getByRole("article").count(), 0);
  await message.getByRole("button", { name: "Show" }).click();
  await list(page).getByText("Is not polite. Your text is back in its field.").waitFor();
  await page.reload();
  await banner(page).getByText("1 change could not be sent.").waitFor();
  await eventually(() => field(page).inputValue(), "An outburst");
  await page.getByRole("button", { name: "Show 1 change" }).click();
  await list(page)
    .getByRole("button", { name: /^Discard:/ })
    .click();
  await banner(page).waitFor({ state: "hidden" });
  assert.deepEqual(await contentsOf(issue), []);
  await leaveOffline(page);
});

test("a comment whose response is lost is posted once", async () => {
  const issue = await createIssue(site, "Lost response");
  const page = await site.open(pageOf(issue), { newContext: true });
  let posts = 0;
  await page.route(COMMENTS, async (route) => {
    if (route.request().method() !== "POST" || posts++ > 0) return route.continue();
    await route.fetch();
    return route.abort("connectionreset");
  });
  await write(page, "Only once");
  await waitUntil(() => posts > 1);
  await cardOf(page, "Only once").getByRole("button", { name: "Reply" }).waitFor();
  await eventually(() => page.getByRole("article").count(), 1);
  assert.deepEqual(await contentsOf(issue), ["Only once"]);
  await leaveOffline(page);
});

test("while comments wait, a later one on another issue is sent after them", async () => {
  const [first, second] = [await createIssue(site, "Earlier"), await createIssue(site, "Later")];
  const page = await site.open(pageOf(first), { newContext: true });
  const unblock = await blockComments(page);
  await write(page, "Sent first");
  await cardOf(page, "Sent first").getByText("Waiting for the connection").waitFor();
  await page.goto(pageOf(second));
  await page
    .getByText(/1 change|Sending 1 change/)
    .first()
    .waitFor();
  await write(page, "Sent second");
  await cardOf(page, "Sent second").waitFor();
  await unblock();
  await eventually(() => contentsOf(second), ["Sent second"]);
  assert.deepEqual(await contentsOf(first), ["Sent first"]);
  await leaveOffline(page);
});

test("another tab shows a waiting comment, and each comment is sent once", async () => {
  const issue = await createIssue(site, "Two tabs");
  const page = await site.open(pageOf(issue), { newContext: true });
  await field(page).waitFor();
  const context = page.context();
  let isOffline = true;
  await context.route(COMMENTS, (route) =>
    isOffline && route.request().method() === "POST" ? route.abort("internetdisconnected") : route.continue(),
  );
  const other = await context.newPage();
  await other.goto(pageOf(issue));
  await other.getByRole("textbox", { name: "Write a comment" }).waitFor();
  await write(page, "From one tab");
  await other.getByRole("article").filter({ hasText: "From one tab" }).waitFor();
  await page.close();
  isOffline = false;
  await tellOnline(other);
  await other.getByRole("article").getByRole("button", { name: "Reply" }).waitFor();
  assert.deepEqual(await contentsOf(issue), ["From one tab"]);
  await context.close();
});
