import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { blockSending, blockWrites, checkBothLooks, leaveOffline, tellOnline } from "./offline-page.ts";
import { card, createBoard, inLane } from "./board-page.ts";
import { openErrorList, rowLink } from "./error-list.ts";
import { createIssue, pageOf, pick, rail, readIssue } from "./issue-page.ts";
import { openReportQueue, row } from "./report-queue.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";
import { link, makeIssues, pickPriority } from "./undo-project.ts";

const site = await useTestSite({ LIMIT_INGEST: "100000" });

const HIGH = 1;
const LOW = 3;

const banner = (page: TestPage) => page.getByRole("status").filter({ hasText: /chang/ });
const list = (page: TestPage) => page.getByRole("list", { name: "Changes that have not been sent" });
const mark = (page: TestPage) => page.getByTitle("Waiting for the connection");

test("changes of an issue made offline stay visible after a reload, and are sent in their order", async () => {
  const issue = await createIssue(site, "On the train");
  const page = await site.open(pageOf(issue), { newContext: true });
  const unblock = await blockWrites(page);
  for (const priority of ["High", "Low"]) {
    await pick(page, "Priority", new RegExp(`^${priority}$`));
    await rail(page)
      .getByRole("button", { name: `Priority: ${priority}` })
      .waitFor();
  }
  await mark(page).waitFor();
  // A change is counted once the browser has stored it.
  await page.getByRole("button", { name: "Show 2 changes" }).waitFor();
  await page.reload();
  await mark(page).waitFor();
  await rail(page).getByRole("button", { name: "Priority: Low" }).waitFor();
  await page.getByRole("button", { name: "Show 2 changes" }).click();
  await list(page)
    .getByRole("link", { name: `${issue.key}: priority` })
    .first()
    .waitFor();
  await page.checkAccessibility();
  await unblock();
  await banner(page).waitFor({ state: "hidden" });
  assert.equal((await readIssue(site, issue)).priority, LOW);
  const { body } = await site.api.get(`/api/projects/WEB/issues/${issue.id}/activity`);
  const changes = (body.data as { kind: string; to: number }[]).filter(({ kind }) => kind === "priority");
  assert.deepEqual(changes.map(({ to }) => to).toSorted(), [HIGH, LOW]);
  await leaveOffline(page);
});

test("canceling a change that waits shows the earlier value, and the later change is still sent", async () => {
  const { key, read } = await makeIssues(site, "Twice changed");
  const page = await site.open(`/projects/${key}/issues`, { newContext: true });
  await link(page, "Twice changed").focus();
  const before = (await read(0)).priority;
  const unblock = await blockWrites(page);
  await pickPriority(page, "High");
  await page.getByRole("button", { name: "Show 1 change" }).click();
  await link(page, "Twice changed").focus();
  await pickPriority(page, "Highest");
  await eventually(() => list(page).getByRole("listitem").count(), 2);
  const earliest = list(page).getByRole("listitem").first();
  const cancel = () => earliest.getByRole("button", { name: /^Cancel:/ }).click();
  await cancel();
  await eventually(() => list(page).getByRole("listitem").count(), 1);
  await page.getByRole("listitem").getByText("Highest").first().waitFor();
  await cancel();
  await banner(page).waitFor({ state: "hidden" });
  await page.getByRole("listitem").getByText("Medium").first().waitFor();
  await unblock();
  assert.equal((await read(0)).priority, before);
  await leaveOffline(page);
});

test("a change is canceled even if an attempt to send it begins during the click", async () => {
  const { key, issues, read } = await makeIssues(site, "Changed by mistake");
  const before = (await read(0)).priority;
  const page = await site.open(`/projects/${key}/issues`, { newContext: true });
  await link(page, "Changed by mistake").focus();
  const unblockSending = await blockSending(page);
  const unblock = await blockWrites(page);
  await pickPriority(page, "High");
  await page.getByRole("button", { name: "Show 1 change" }).click();
  await list(page)
    .getByRole("button", { name: /^Cancel:/ })
    .hover();
  await page.mouse.down();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  await page.route(`**/issues/${issues[0]?.id}`, async (route) => {
    begin();
    await released;
    await route.fallback();
  });
  await unblockSending();
  await tellOnline(page);
  await begun;
  await page.mouse.up();
  release();
  await banner(page).waitFor({ state: "hidden" });
  await page.getByRole("listitem").getByText("Medium").first().waitFor();
  await unblock();
  assert.equal((await read(0)).priority, before);
  await leaveOffline(page);
});

test("a change that is canceled while the changes are being read from the browser's database is not sent", async () => {
  const issue = await createIssue(site, "Read slowly");
  const page = await site.open(pageOf(issue), { newContext: true });
  const unblockSending = await blockSending(page);
  const unblock = await blockWrites(page);
  await pick(page, "Priority", /^High$/);
  await page.getByRole("button", { name: "Show 1 change" }).click();
  await page.evaluate(slowDownReads);
  await unblockSending();
  await tellOnline(page);
  await page.waitForFunction(() => "readsBegun" in window);
  await list(page)
    .getByRole("button", { name: /^Cancel:/ })
    .click();
  await unblock();
  await page.evaluate(() => void Object.assign(window, { mayRead: true }));
  await page.waitForFunction(() => "readsEnded" in window);
  await banner(page).waitFor({ state: "hidden" });
  await pick(page, "Priority", /^Low$/);
  await eventually(async () => (await readIssue(site, issue)).priority, LOW);
  const { body } = await site.api.get(`/api/projects/WEB/issues/${issue.id}/activity`);
  const changes = (body.data as { kind: string; to: number }[]).filter(({ kind }) => kind === "priority");
  assert.deepEqual(
    changes.map(({ to }) => to),
    [LOW],
  );
  await leaveOffline(page);
});

/** Runs in the page: reads of all rows of the browser's database end once `mayRead` is set. */
function slowDownReads() {
  const { getAll } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.getAll = function (...args) {
    Object.assign(window, { readsBegun: true });
    const wait = () => {
      if ("mayRead" in window) Object.assign(window, { readsEnded: true });
      // Further requests keep the transaction open.
      else this.count().addEventListener("success", wait);
    };
    wait();
    return Reflect.apply(getAll, this, args);
  };
}

test("a change that conflicts with someone else's is not sent, shows theirs, and can be sent anyway", async () => {
  const issue = await createIssue(site, "Contested");
  const page = await site.open(pageOf(issue), { newContext: true });
  const unblockSending = await blockSending(page);
  const unblock = await blockWrites(page);
  await pick(page, "Priority", /^High$/);
  await mark(page).waitFor();
  await site.api.patch(`/api/projects/WEB/issues/${issue.id}`, { priority: LOW });
  await unblockSending();
  await unblock();
  const message = page.getByRole("group", { name: `Not sent: ${issue.key}: priority` });
  await message.getByText("Someone else has changed the priority meanwhile.").waitFor();
  await rail(page).getByRole("button", { name: "Priority: Low" }).waitFor();
  assert.equal((await readIssue(site, issue)).priority, LOW);
  await message.getByRole("button", { name: "Show" }).click();
  await checkBothLooks(page);
  await list(page)
    .getByRole("button", { name: /^Send anyway:/ })
    .click();
  await banner(page).waitFor({ state: "hidden" });
  await rail(page).getByRole("button", { name: "Priority: High" }).waitFor();
  assert.equal((await readIssue(site, issue)).priority, HIGH);
  await leaveOffline(page);
});

test("a card that is moved offline stays in its new lane, and is moved there later", async () => {
  const board = await createBoard(site);
  await board.make("Gift cards");
  const page = await site.open(`/projects/${board.key}/board`, { newContext: true });
  await card(page, "Gift cards").focus();
  const unblock = await blockWrites(page);
  for (const press of [" ", "ArrowRight", " "]) await page.keyboard.press(press);
  await inLane(page, "To do", "Gift cards").waitFor();
  await mark(page).waitFor();
  await page.reload();
  await mark(page).waitFor();
  await inLane(page, "To do", "Gift cards").waitFor();
  await unblock();
  await eventually(() => board.order(board.lanes.todo), ["Gift cards"]);
  await mark(page).waitFor({ state: "hidden" });
  await leaveOffline(page);
});

test("an error that is resolved offline is resolved later; Ctrl+Z cancels it", async () => {
  const errors = await openErrorList(site);
  await errors.send("Broken");
  const page = await site.open(errors.url, { newContext: true });
  await rowLink(page, "Broken").focus();
  const unblock = await blockWrites(page);
  await page.keyboard.press("e");
  await banner(page).waitFor();
  await page.keyboard.press("Control+z");
  await banner(page).waitFor({ state: "hidden" });
  await rowLink(page, "Broken").focus();
  await page.keyboard.press("e");
  await banner(page).waitFor();
  await unblock();
  await eventually(async () => (await errors.group("Broken")).status, 1);
  await banner(page).waitFor({ state: "hidden" });
  await leaveOffline(page);
});

test("a report that is dismissed offline leaves the queue, also after a reload, and is dismissed later", async () => {
  const queue = await openReportQueue(site, "Spam", "Other");
  const page = await queue.open("", { newContext: true });
  await row(page, "Spam").waitFor();
  const unblock = await blockWrites(page);
  await page.keyboard.press("h");
  await page.getByRole("dialog", { name: "Dismiss report" }).waitFor();
  await page.keyboard.press("4");
  await row(page, "Spam").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Close message" }).click();
  await banner(page).waitFor();
  await page.reload();
  await banner(page).waitFor();
  await row(page, "Other").waitFor();
  await row(page, "Spam").waitFor({ state: "detached" });
  await unblock();
  await eventually(async () => (await queue.read(0)).dismissed_at !== null, true);
  await banner(page).waitFor({ state: "hidden" });
  await leaveOffline(page);
});

test("a dismissal of a report that someone else has dismissed is rejected with the server's reason", async () => {
  const queue = await openReportQueue(site, "Decided twice", "Other");
  const page = await queue.open("", { newContext: true });
  await row(page, "Decided twice").waitFor();
  const unblock = await blockWrites(page);
  await page.keyboard.press("h");
  await page.getByRole("dialog", { name: "Dismiss report" }).waitFor();
  await page.keyboard.press("4");
  await page.getByRole("button", { name: "Close message" }).click();
  await banner(page).waitFor();
  const [report] = queue.reports;
  await queue.client.post(`${queue.path}/${report?.id}/dismiss`, { category: "not-planned" });
  await unblock();
  await page.getByRole("group", { name: `Not sent: Report #${report?.id} dismissed` }).waitFor();
  assert.equal((await queue.read(0)).dismiss_reason, "not-planned");
  await leaveOffline(page);
});

test("signing out while changes wait is refused, so that nothing is lost", async () => {
  const issue = await createIssue(site, "Unsent");
  const page = await site.open(pageOf(issue), { newContext: true });
  const session = "**/api/session";
  const unblock = await blockWrites(page);
  await page.route(session, (route) => route.continue());
  await pick(page, "Priority", /^High$/);
  await mark(page).waitFor();
  const signOut = async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("button").last().click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  };
  await signOut();
  await page.getByText("Some changes have not been sent.").waitFor();
  await unblock();
  await banner(page).waitFor({ state: "hidden" });
  await signOut();
  await page.waitForURL("**/sign-in");
  assert.equal((await readIssue(site, issue)).priority, HIGH);
  await leaveOffline(page);
});
