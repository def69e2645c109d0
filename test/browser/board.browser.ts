import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { eventually } from "../support/eventually.ts";
import { focusOn } from "./focus.ts";
import { useTestSite } from "./test-site.ts";
import { card, createBoard as createBoardOn, created, inLane, lane, titlesIn } from "./board-page.ts";

const site = await useTestSite();
const createBoard = () => createBoardOn(site);

test("a card dragged to another lane stays where it was dropped", async () => {
  const board = await createBoard();
  for (const title of ["One", "Two"]) await board.make(title);
  for (const title of ["Three", "Four"]) await board.make(title, { lane_id: board.lanes.todo });
  const page = await site.open(`/projects/${board.key}/board`);
  await card(page, "One").dragTo(card(page, "Four"), { targetPosition: { x: 20, y: 2 } });
  await inLane(page, "To do", "One").waitFor();
  await eventually(() => board.order(board.lanes.todo), ["Three", "One", "Four"]);
  await eventually(() => titlesIn(page, "To do"), ["Three", "One", "Four"]);
  await page.leave();
});

test("Space lifts a card, arrows carry it between lanes, Space drops it; Escape puts it back", async () => {
  const board = await createBoard();
  for (const title of ["One", "Two"]) await board.make(title);
  await board.make("Three", { lane_id: board.lanes.todo });
  const page = await site.open(`/projects/${board.key}/board`);
  await card(page, "One").focus();
  await page.keyboard.press(" ");
  await page.keyboard.press("ArrowRight");
  await inLane(page, "To do", "One").waitFor();
  await page.getByText("Position 1 of 2 in To do.").waitFor({ state: "attached" });
  await page.keyboard.press("Escape");
  await inLane(page, "Backlog", "One").waitFor();
  await eventually(() => board.order(board.lanes.todo), ["Three"]);
  await focusOn(page, "link", "One");

  await page.keyboard.press(" ");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press(" ");
  await eventually(() => board.order(board.lanes.todo), ["Three", "One"]);
  await eventually(() => titlesIn(page, "To do"), ["Three", "One"]);
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "One");
  await page.keyboard.press("Alt+ArrowUp");
  await eventually(() => board.order(board.lanes.todo), ["One", "Three"]);
  await page.leave();
});

test("the menu of a card moves it to another lane, and to the top", async () => {
  const board = await createBoard();
  for (const title of ["One", "Two", "Three"]) await board.make(title);
  await board.make("Four", { lane_id: board.lanes.doing });
  const page = await site.open(`/projects/${board.key}/board`);
  await page.getByRole("button", { name: `Actions for ${board.key}-3` }).click();
  await page.getByRole("menuitem", { name: "Move to top" }).click();
  await eventually(() => board.order(board.lanes.backlog), ["Three", "One", "Two"]);
  await page.getByRole("button", { name: `Actions for ${board.key}-1` }).click();
  await page.getByRole("menuitem", { name: "Move to lane" }).click();
  await page.getByRole("menuitem", { name: "In progress" }).click();
  await inLane(page, "In progress", "One").waitFor();
  await eventually(() => board.order(board.lanes.doing), ["Four", "One"]);
  await page.leave();
});

test("a card dropped on a filtered board is placed directly after the visible card above it", async () => {
  const board = await createBoard();
  for (const title of ["Shop one", "Hidden", "Shop two", "Shop three"]) await board.make(title);
  const page = await site.open(`/projects/${board.key}/board?query=shop`);
  await card(page, "Shop three").focus();
  await page.keyboard.press("Alt+ArrowUp");
  await eventually(() => board.order(board.lanes.backlog), ["Shop one", "Shop three", "Hidden", "Shop two"]);
  await page.leave();
});

test("a rejected move is rolled back and shows the reason", async () => {
  const board = await createBoard();
  await board.make("One");
  const page = await site.open(`/projects/${board.key}/board`);
  await card(page, "One").waitFor();
  await page.route("**/move", async (route) => {
    // Another session deletes the lane before the request is handled.
    await site.api.delete(`${board.url}/lanes/${board.lanes.todo}`);
    await route.continue();
  });
  await card(page, "One").dragTo(lane(page, "To do"));
  await page.getByRole("log", { name: "Messages" }).getByRole("button", { name: "Close message" }).waitFor();
  await inLane(page, "Backlog", "One").waitFor();
  await eventually(() => board.order(board.lanes.backlog), ["One"]);
  await page.leave();
});

test("a move sends one request and reloads only what it changed, not the whole board", async () => {
  const board = await createBoard();
  for (const text of ["One", "Two"]) await board.make(text);
  // A page of the app would have a stream of its own.
  const page = await site.open("/assets/none.txt");
  const listening = page.waitForResponse((answer) => answer.url().includes("/api/events?") && answer.ok());
  await page.goto(`/projects/${board.key}/board`);
  await listening;
  await card(page, "Two").waitFor();
  // Record only requests about issues, from the move on: updates about the new project may still be loading.
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    const isAfter = asked.length > 0 || pathname.endsWith("/move");
    if (isAfter && pathname.includes("/issues")) asked.push(pathname + search);
  });
  const changed = page.waitForRequest(
    (request) => asked.length > 0 && request.url().includes("/issues?ids="),
  );
  await card(page, "One").focus();
  for (const key of ["Space", "ArrowRight", "Space"]) await page.keyboard.press(key);
  await eventually(() => board.order(board.lanes.todo), ["One"]);
  await (await changed).response();
  assert.equal(asked.filter((path) => path.endsWith("/move")).length, 1);
  assert.deepEqual(
    asked.filter((path) => path.includes("/issues?") && !path.includes("ids=")),
    [],
  );
  assert.ok(asked.length <= 3, asked.join(", "));
  await page.leave();
});

test("a board that shows only the newest 2,000 issues says so", async () => {
  const board = await createBoard();
  const { project_id, lane_id } = await board.make("The first");
  await sql`insert into issues (project_id, number, title, type, priority, lane_id, rank)
    select ${project_id}, 1 + n, 'Issue ' || n, 0, 2, ${lane_id}, 'z' || lpad(n::text, 5, '0') || 'z' from generate_series(1, 2000) n`.execute(
    site.t.db,
  );
  const page = await site.open(`/projects/${board.key}/board?query=Issue%201999`);
  await card(page, "Issue 1999").waitFor();
  await page.getByText("Not all issues of this project are shown here.").waitFor();
  await page.leave();
});

test("filters are kept in the URL, and an empty view offers to clear them", async () => {
  const board = await createBoard();
  await board.make("Bug", { type: 1 });
  await board.make("Feature", { type: 0 });
  const page = await site.open(`/projects/${board.key}/board`);
  await page.getByRole("button", { name: "Type" }).click();
  await page.getByRole("option", { name: "Feature" }).click();
  await page.keyboard.press("Escape");
  await page.waitForURL(/type=0/);
  await card(page, "Bug").waitFor({ state: "hidden" });
  await card(page, "Feature").waitFor();
  await page.getByRole("searchbox", { name: "Filter by text" }).fill("nothing of the kind");
  await page.getByRole("heading", { name: "No matching issues" }).waitFor();
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await card(page, "Bug").waitFor();
  await page.waitForURL((url) => url.search === "");
  await page.leave();
});

test("grouped by assignee, moving a card to another person's row assigns it to them", async () => {
  const board = await createBoard();
  const { id } = await board.make("One", { assignee_id: site.owner.id });
  await board.make("Two", { lane_id: board.lanes.todo });
  const page = await site.open(`/projects/${board.key}/board?group=assignee`);
  await page.getByRole("heading", { name: "Nobody" }).waitFor();
  await card(page, "One").dragTo(card(page, "Two"));
  await inLane(page, "To do, Nobody", "One").waitFor();
  await eventually(
    async () => [String((await site.api.get(`${board.url}/issues/${id}`)).body.assignee_id)],
    ["null"],
  );
  await page.leave();
});

test("empty groups are hidden until they are asked for, and can be hidden again", async () => {
  const board = await createBoard();
  const { id: epic_id } = (await created(site, `${board.url}/epics`, { title: "Filled" })) as { id: number };
  for (const title of ["Empty one", "Empty two"]) await created(site, `${board.url}/epics`, { title });
  await board.make("One", { epic_id });
  const page = await site.open(`/projects/${board.key}/board?group=epic`);
  const groups = () => page.getByRole("region", { name: "Board" }).getByRole("heading", { level: 3 });
  await eventually(() => groups().allTextContents(), ["Filled"]);
  await page.getByRole("button", { name: "Show 3 empty groups" }).click();
  await eventually(
    async () => (await groups().allTextContents()).toSorted(),
    ["Empty one", "Empty two", "Filled", "No epic"],
  );
  await page.checkAccessibility();
  await page.getByRole("button", { name: "Hide empty groups" }).click();
  await eventually(() => groups().allTextContents(), ["Filled"]);
  await page.leave();
});

test("the Done lane shows the last 30 days until all issues are requested", async () => {
  const board = await createBoard();
  const { id } = await board.make("Old", { lane_id: board.lanes.done });
  await board.make("Fresh", { lane_id: board.lanes.done });
  await site.t.db
    .updateTable("issues")
    .set({ closed_at: "2020-01-01T00:00:00Z" })
    .where("id", "=", id)
    .execute();
  const page = await site.open(`/projects/${board.key}/board`);
  await card(page, "Fresh").waitFor();
  await eventually(() => card(page, "Old").count(), 0);
  await page.getByRole("button", { name: "Show 1 more" }).click();
  await card(page, "Old").waitFor();
  await page.leave();
});

test("users with read access see the cards but no controls to change them", async () => {
  const viewer = await site.member("Viewer");
  await created(site, "/api/projects/WEB/issues", { title: "To be read" });
  const page = await site.open("/projects/WEB/board", { as: viewer });
  await card(page, "To be read").waitFor();
  for (const name of [/^Actions for/, /^Add issue/, "New issue"])
    await eventually(() => page.getByRole("button", { name }).count(), 0, String(name));
  await card(page, "To be read").focus();
  await page.keyboard.press("s");
  await page.keyboard.press(" ");
  await eventually(() => page.getByRole("dialog").count(), 0);
  await page.leave();
});

test("the board, its menu and its groups have no accessibility violations in both themes", async () => {
  const board = await createBoard();
  const label = (await created(site, `${board.url}/labels`, { name: "payments", color: "#b14101" })) as {
    id: number;
  };
  const first = await board.make("One", { label_ids: [label.id], assignee_id: site.owner.id, type: 1 });
  await board.make("Two", { blocked_by_ids: [first.id], estimated_minutes: 90 });
  for (const theme of ["light", "dark"] as const) {
    const page = await site.open(`/projects/${board.key}/board?group=assignee`, { theme });
    await card(page, "Two").waitFor();
    await page.checkAccessibility();
    await page.goto(`/projects/${board.key}/board`);
    await page.getByRole("button", { name: `Actions for ${board.key}-1` }).click();
    await page.getByRole("menuitem", { name: "Move to top" }).waitFor();
    await page.checkAccessibility();
    await page.leave();
  }
});

test("on a phone the lanes scroll horizontally, but the page does not", async () => {
  const page = await site.open("/projects/WEB/board", { width: 320 });
  await page.getByRole("heading", { name: /Backlog/ }).waitFor();
  await eventually(
    () => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth),
    false,
  );
  await page.leave();
});

test("at 400 % zoom the cards of the board and the rows of lists are in view, not behind headers", async () => {
  const board = await createBoard();
  const { title } = await board.make("Still readable", { assignee_id: site.owner.id });
  for (const path of [`/projects/${board.key}/board`, `/projects/${board.key}/issues`, "/my-issues"]) {
    const page = await site.open(path, { width: 320, height: 256 });
    const link = card(page, title);
    await link.waitFor();
    const isVisible = () =>
      link.evaluate((element) => {
        element.scrollIntoView({ block: "center" });
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const under = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return under !== null && element.contains(under);
      });
    await eventually(isVisible, true, path);
    await page.leave();
  }
});

test("a lane over its limit says so, and a collapsed lane stays collapsed and is skipped by the arrow keys", async () => {
  const board = await createBoard();
  await site.api.patch(`${board.url}/lanes/${board.lanes.todo}`, { wip_limit: 1 });
  await board.make("One");
  for (const title of ["Two", "Three"]) await board.make(title, { lane_id: board.lanes.todo });
  await board.make("Four", { lane_id: board.lanes.doing });
  const page = await site.open(`/projects/${board.key}/board`);
  await page.getByRole("heading", { name: "To do 2 issues, over the limit of 1" }).waitFor();
  await page.getByRole("button", { name: "Collapse To do" }).click();
  await card(page, "Two").waitFor({ state: "hidden" });
  await page
    .locator("div", { hasText: /^To do2$/ })
    .last()
    .waitFor();
  await page.checkAccessibility();
  await page.reload();
  await card(page, "One").focus();
  await page.keyboard.press("ArrowRight");
  await eventually(() => card(page, "Four").evaluate((link) => link === document.activeElement), true);
  await card(page, "One").dragTo(page.getByText("To do", { exact: true }).last());
  await eventually(() => board.order(board.lanes.todo), ["Two", "Three", "One"]);
  await page.getByRole("button", { name: "Expand To do" }).click();
  await inLane(page, "To do", "One").waitFor();
  await page.leave();
});

test("cards that move slide, and those that somebody else has changed are tinted, unless motion is reduced", async () => {
  const board = await createBoard();
  const [one, , three] = [await board.make("One"), await board.make("Two"), await board.make("Three")];
  const page = await site.open(`/projects/${board.key}/board`);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await eventually(() => titlesIn(page, "Backlog"), ["One", "Two", "Three"]);
  await page.evaluate(() => {
    const animations: string[] = [];
    Object.assign(window, { animations });
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
      const title = this.querySelector("a")?.textContent ?? "";
      if (typeof options === "object") animations.push(`${options.id ?? ""} ${title}`);
      return animate.call(this, frames, options);
    };
  });
  const animations = () =>
    page.evaluate(() => (window as unknown as { animations: string[] }).animations.toSorted());
  const move = async (id: number, before: number) => {
    const answer = await site.api.post(`${board.url}/issues/${id}/move`, {
      lane_id: board.lanes.backlog,
      rank_after_id: before,
    });
    assert.equal(answer.status, 200, answer.text);
  };
  await move(three.id, one.id);
  await eventually(() => titlesIn(page, "Backlog"), ["Three", "One", "Two"]);
  await eventually(animations, ["changed Three", "move One", "move Three", "move Two"]);

  await page.emulateMedia({ reducedMotion: "reduce" });
  await move(one.id, three.id);
  await eventually(() => titlesIn(page, "Backlog"), ["One", "Three", "Two"]);
  assert.equal((await animations()).length, 4);
  await page.leave();
});
