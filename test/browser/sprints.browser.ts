import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually } from "../support/eventually.ts";
import { tabTo } from "./focus.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const lanes = await site.laneIds();

const url = (path: string) => `/api/projects/${site.project.id}${path}`;
const issuesOf = async (sprintId: number | "none") =>
  ((await site.api.get(url(`/issues?sprint_id=${sprintId}&limit=200`))).body.data as Issue[]).map(
    ({ title }) => title,
  );

test("a sprint is created, started with two weeks proposed, and closed with unfinished issues moved to another", async () => {
  const page = await site.open("/projects/WEB/sprints");
  await page.getByText("No sprints yet").waitFor();
  await page.getByRole("button", { name: "New sprint" }).click();
  const creating = page.getByRole("dialog", { name: "New sprint" });
  await eventually(() => creating.getByLabel("Name").inputValue(), "Sprint 1");
  await creating.getByLabel("Goal").fill("Pay without an account");
  await creating.getByLabel("Capacity in issues").fill("1");
  await creating.getByLabel("Capacity in estimates").fill("2h");
  await creating.getByRole("button", { name: "Create sprint" }).click();
  await page.getByRole("heading", { level: 1, name: "Sprint 1" }).waitFor();
  const id = Number(new URL(page.url()).pathname.split("/").at(-1));
  const next = await site.create("/sprints", { name: "Sprint 2" });
  await site.create("/issues", { title: "Guest form", sprint_id: id, estimated_minutes: 90 });
  await site.create("/issues", { title: "Address book", sprint_id: id, lane_id: lanes["done"] });
  await page.getByRole("link", { name: "Guest form" }).waitFor();
  await page.getByText("1 of 2 issues done").waitFor();
  await page.getByText("2 issues planned, capacity 1 issue (1 issue over)").waitFor();
  await page.getByText("1h 30m planned, capacity 2h").waitFor();

  await page.getByRole("button", { name: "Start Sprint 1" }).click();
  const starting = page.getByRole("dialog", { name: "Start Sprint 1" });
  const [from, to] = [
    await starting.getByLabel("Starts on").inputValue(),
    await starting.getByLabel("Ends on").inputValue(),
  ];
  assert.equal(Date.parse(`${to} UTC`) - Date.parse(`${from} UTC`), 13 * 86_400_000);
  await starting.getByRole("button", { name: "Start sprint" }).click();
  const chart = page.getByRole("slider", { name: "Burn-up" });
  await page.getByRole("button", { name: "Estimates" }).click();
  await eventually(async () => (await chart.getAttribute("aria-valuetext"))?.includes("Ideal 1h 30m"), true);

  await page.getByRole("button", { name: "Close Sprint 1" }).click();
  const closing = page.getByRole("dialog", { name: "Close Sprint 1" });
  await closing.getByText("1 of 2 issues are done, 1 unfinished.").waitFor();
  await eventually(() => closing.getByRole("radio", { name: "Move to another sprint" }).isChecked(), true);
  await closing.getByRole("button", { name: "Close sprint" }).click();
  await page.getByText("1 unfinished issue moved.").waitFor();
  await page.getByText("Closed", { exact: true }).waitFor();
  await eventually(() => issuesOf(next.id), ["Guest form"]);
  await eventually(() => issuesOf(id), ["Address book"]);
  await page.leave();
});

test("a sprint is closed and its unfinished issues removed with the keyboard only", async () => {
  const sprint = await site.create("/sprints", { name: "Keys", state: "active", starts_on: "2026-11-02" });
  for (let number = 1; number <= 6; number++)
    await site.create("/issues", { title: `Left over ${number}`, sprint_id: sprint.id });
  const page = await site.open("/projects/WEB/sprints");
  const link = page.getByRole("link", { name: "Keys" });
  await link.waitFor();
  await page.keyboard.press("j");
  await eventually(() => link.evaluate((element) => element === document.activeElement), true);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/sprints/${sprint.id}`);
  await page.getByRole("link", { name: "Left over 6" }).waitFor();
  await page.getByRole("button", { name: "Close Keys" }).focus();
  await page.keyboard.press("Enter");
  const closing = page.getByRole("dialog", { name: "Close Keys" });
  await closing.getByText("6 unfinished").waitFor();
  await closing.getByRole("radio", { name: "Move to another sprint" }).focus();
  await page.keyboard.press("ArrowDown");
  await eventually(() => closing.getByRole("radio", { name: /Remove from the sprint/ }).isChecked(), true);
  await tabTo(page, "button", "Close sprint");
  await page.keyboard.press("Enter");
  await page.getByText("6 unfinished issues moved.").waitFor();
  await eventually(() => issuesOf(sprint.id), []);
  await eventually(
    async () => (await issuesOf("none")).filter((title) => title.startsWith("Left over")).length,
    6,
  );
  await page.leave();
});

test("if an issue cannot be moved the sprint stays active, and a second attempt moves the rest", async () => {
  const sprint = await site.create("/sprints", { name: "Stormy", state: "active" });
  for (let number = 1; number <= 3; number++)
    await site.create("/issues", { title: `Storm ${number}`, sprint_id: sprint.id });
  const page = await site.open(`/projects/WEB/sprints/${sprint.id}`);
  await page.getByRole("link", { name: "Storm 3" }).waitFor();
  let refused = false;
  await page.route("**/issues/*", async (route) => {
    if (route.request().method() !== "PATCH" || refused) return route.continue();
    refused = true;
    await route.fulfill({ status: 409, json: { message: "It was changed concurrently." } });
  });
  await page.getByRole("button", { name: "Close Stormy" }).click();
  const closing = page.getByRole("dialog", { name: "Close Stormy" });
  await closing.getByRole("button", { name: "Close sprint" }).click();
  await closing.getByText(/1 of 3 issues could not be moved: It was changed concurrently\./).waitFor();
  await eventually(async () => (await site.api.get(url(`/sprints/${sprint.id}`))).body.state, "active");
  await closing.getByRole("button", { name: "Close sprint" }).click();
  await page.getByText("1 unfinished issue moved.").waitFor();
  await eventually(() => issuesOf(sprint.id), []);
  await page.leave();
});

test("issues are planned by keyboard, selection, drag and button, each time with one request", async () => {
  const sprint = await site.create("/sprints", { name: "Plan me", capacity_issues: 1 });
  const keys: string[] = [];
  for (const title of ["Plan A", "Plan B", "Plan C", "Plan D"])
    keys.push((await site.create("/issues", { title })).key);
  const page = await site.open(`/projects/WEB/sprints/${sprint.id}`);
  await page.getByRole("link", { name: "Plan", exact: true }).click();
  const issue = (title: string) => page.getByRole("link", { name: title, exact: true });
  const list = page.getByRole("region", { name: "Plan me" });
  const planned = (...titles: string[]) =>
    eventually(async () => (await issuesOf(sprint.id)).toSorted(), titles);
  let requests = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/assign-sprint")) requests++;
  });

  await issue("Plan A").focus();
  for (const key of ["Space", "ArrowRight", "Space"]) await page.keyboard.press(key);
  await planned("Plan A");
  await list.getByRole("link", { name: "Plan A" }).waitFor();

  await issue("Plan B").focus();
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("2 issues selected").waitFor();
  await page.getByRole("button", { name: "Add to Plan me" }).click();
  await planned("Plan A", "Plan B", "Plan C");
  assert.equal(requests, 2);
  await page.getByText("3 issues (2 issues over)").waitFor();
  await page.checkAccessibility();

  await issue("Plan D").dragTo(list);
  await planned("Plan A", "Plan B", "Plan C", "Plan D");
  await page.getByRole("button", { name: `Move ${keys[0]} to the backlog` }).click();
  await planned("Plan B", "Plan C", "Plan D");
  await page.getByRole("region", { name: "Backlog" }).getByRole("link", { name: "Plan A" }).waitFor();
  await page.leave();
});

test("deleting a sprint keeps its issues and focuses the next row", async () => {
  const sprint = await site.create("/sprints", { name: "Mistake", starts_on: "2026-01-01" });
  const issue = await site.create("/issues", { title: "Survivor", sprint_id: sprint.id });
  const page = await site.open("/projects/WEB/sprints");
  await page.getByRole("button", { name: "Actions for Mistake" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete “Mistake”?" });
  await dialog.getByText("Its issue is kept, without a sprint.").waitFor();
  await dialog.getByRole("button", { name: "Delete sprint" }).click();
  await page.getByRole("link", { name: "Mistake" }).waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.hasAttribute("data-row"));
  await eventually(async () => (await site.api.get(url(`/issues/${issue.id}`))).body.sprint_id, null);
  await page.leave();
});

test("users who do not manage the project see sprints but no controls to change them", async () => {
  const sprint = await site.create("/sprints", { name: "Seen", state: "active" });
  const member = await site.member("Member");
  const page = await site.open(`/projects/WEB/sprints/${sprint.id}`, { as: member });
  await page.getByRole("heading", { level: 1, name: "Seen" }).waitFor();
  await page.getByText("No issues yet").waitFor();
  await eventually(() => page.getByRole("button", { name: /^(Close|Actions for) Seen/ }).count(), 0);
  await page.leave();
});

test("list, page and dialogs have no accessibility violations in both themes and do not scroll horizontally at 320 px", async () => {
  const sprint = await site.create("/sprints", {
    name: "A long name of a sprint that goes on and on and on",
    goal: "One\nTwo",
    state: "active",
    starts_on: "2026-11-09",
    ends_on: "2026-11-15",
  });
  for (const kind of ["backlog", "doing", "done"])
    await site.create("/issues", { title: `In ${kind}`, sprint_id: sprint.id, lane_id: lanes[kind] });
  for (const theme of ["light", "dark"] as const) {
    const page = await site.open("/projects/WEB/sprints", { theme, width: theme === "light" ? 1280 : 320 });
    await page.getByRole("link", { name: /A long name/ }).waitFor();
    await page.getByText("1 of 3 done").first().waitFor();
    await page.checkAccessibility();
    await page.goto(`/projects/WEB/sprints/${sprint.id}`);
    await page.getByRole("slider", { name: "Burn-up" }).waitFor();
    await page.getByRole("link", { name: "In doing" }).waitFor();
    await page.checkAccessibility();
    await eventually(
      () => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth),
      false,
      "the page scrolls sideways",
    );
    await page.getByRole("button", { name: /^Close A long/ }).click();
    await page.getByRole("dialog").waitFor();
    await page.checkAccessibility();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Actions for A long/ }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByRole("dialog", { name: "Edit sprint" }).waitFor();
    await page.checkAccessibility();
    await page.leave();
  }
});
