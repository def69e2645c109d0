import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import type { Lane } from "../../src/shared/lanes.ts";
import { eventually } from "../support/eventually.ts";
import { openErrorList, rowLink } from "./error-list.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";
import { link, makeIssues, messages, pickPriority } from "./undo-project.ts";

const site = await useTestSite();

/** Holds the responses to changes of issues until they are released, or rejects them then. */
async function holdChanges(page: TestPage) {
  const { promise, resolve } = Promise.withResolvers<"send" | "reject">();
  await page.route("**/issues/**", async (route) => {
    if (route.request().method() === "GET") return route.fallback();
    if ((await promise) === "send") return route.continue();
    return route.fulfill({ status: 422, json: { message: "The priority is locked." } });
  });
  return resolve;
}

/** Opens an issue of medium priority, saves it with high priority, and changes it to highest, which is held. */
async function changeTwice() {
  const { key, issues, read } = await makeIssues(site, "Gift cards");
  const page = await site.open(`/projects/${key}/issues/${issues[0]?.key}`);
  const priority = (value: string) => page.getByRole("button", { name: `Priority: ${value}` });
  await priority("Medium").waitFor();
  await pickPriority(page, "High");
  await eventually(async () => (await read(0)).priority, 1);
  const release = await holdChanges(page);
  await pickPriority(page, "Highest");
  await priority("Highest").waitFor();
  return { page, priority, release, issueKey: issues[0]?.key, saved: async () => (await read(0)).priority };
}

test("Ctrl Z while a change is in flight undoes that change, and pressed twice also the one before", async () => {
  const { page, priority, release, issueKey, saved } = await changeTwice();
  await page.keyboard.press("Control+z");
  await messages(page).getByText("Undoing…").waitFor();
  await eventually(() => saved(), 1);
  release("send");
  await messages(page).getByText(`Change to ${issueKey} undone`).waitFor();
  await priority("High").waitFor();
  await messages(page).getByText("Undoing…").waitFor({ state: "hidden" });
  await eventually(() => saved(), 1);

  const releaseTwo = await holdChanges(page);
  await pickPriority(page, "Low");
  await priority("Low").waitFor();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  releaseTwo("send");
  await eventually(saved, 2);
  await priority("Medium").waitFor();
  await page.leave();
});

test("if the change in flight fails, Ctrl Z undoes nothing and says so", async () => {
  const { page, priority, release, saved } = await changeTwice();
  await page.keyboard.press("Control+z");
  release("reject");
  // A message stays while the pointer is on it.
  await messages(page).getByText("The last change was not saved.").hover();
  await page.getByRole("button", { name: "1 more message" }).click();
  await messages(page).getByText("The priority is locked.").waitFor();
  await priority("High").waitFor();
  await eventually(() => saved(), 1);
  await page.leave();
});

/** A list with two issues, both selected. Their changes are held. */
async function selectTwo() {
  const { key, read } = await makeIssues(site, "One", "Two");
  const page = await site.open(`/projects/${key}/issues`);
  await link(page, "Two").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.getByRole("button", { name: "Select all 2" }).click();
  return { page, read, release: await holdChanges(page) };
}

test("Ctrl Z while a bulk change is in flight undoes all of it", async () => {
  const { page, read, release } = await selectTwo();
  await pickPriority(page, "Highest");
  await page.keyboard.press("Control+z");
  release("send");
  await messages(page).getByText("Change to 2 issues undone").waitFor();
  await eventually(async () => [(await read(0)).priority, (await read(1)).priority], [2, 2]);
  await page.leave();
});

test("two changes of the same issues are sent one after the other", async () => {
  const { page, read, release } = await selectTwo();
  const isHeld = new Map<string, boolean>();
  const together: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "PATCH") return;
    if (isHeld.get(request.url())) together.push(request.url());
    isHeld.set(request.url(), true);
  });
  page.on("response", (response) => void isHeld.set(response.url(), false));
  await pickPriority(page, "Highest");
  await pickPriority(page, "Lowest");
  await page.getByRole("button", { name: "Priority: Lowest" }).nth(1).waitFor();
  release("send");
  await eventually(async () => [(await read(0)).priority, (await read(1)).priority], [4, 4]);
  page.removeAllListeners("response");
  assert.deepEqual(together, []);
  await page.leave();
});

test("Ctrl Z returns a moved card to its place, also while the move is in flight", async () => {
  const { key, url } = await makeIssues(site, "One", "Two", "Three");
  const lanes = (await site.api.get(`${url}/lanes`)).body.data as Lane[];
  const order = async () => {
    const { body } = await site.api.get(`${url}/issues?lane_id=${lanes[0]?.id}&sort=rank`);
    return (body.data as Issue[]).map(({ title }) => title);
  };
  const page = await site.open(`/projects/${key}/board`);
  await link(page, "Two").focus();
  await page.keyboard.press(" ");
  await page.keyboard.press("ArrowRight");
  const release = await holdChanges(page);
  await page.keyboard.press(" ");
  await page.keyboard.press("Control+z");
  await messages(page).getByText("Undoing…").waitFor();
  release("send");
  await messages(page).getByText("moved back").waitFor();
  await eventually(order, ["One", "Two", "Three"]);
  await page.leave();
});

test("Ctrl Z returns a card that was moved to another swim lane to its lane and its assignee", async () => {
  const { key, url, issues, read } = await makeIssues(site, "One", "Two");
  await site.api.patch(`${url}/issues/${issues[1]?.id}`, { assignee_id: site.owner.id });
  const lanes = (await site.api.get(`${url}/lanes`)).body.data as Lane[];
  await site.api.patch(`${url}/issues/${issues[1]?.id}`, { lane_id: lanes[1]?.id });
  const page = await site.open(`/projects/${key}/board?group=assignee`);
  await page.getByRole("heading", { name: "Nobody" }).waitFor();
  const release = await holdChanges(page);
  await link(page, "One").dragTo(link(page, "Two"));
  await page.keyboard.press("Control+z");
  await messages(page).getByText("Undoing…").waitFor();
  release("send");
  await messages(page).getByText(`Change to ${issues[0]?.key} undone`).waitFor();
  await eventually(async () => {
    const { lane_id, assignee_id } = await read(0);
    return [lane_id, assignee_id];
  }, [lanes[0]?.id, null]);
  await page.leave();
});

test("two moves of a card that are still in flight are undone one after the other", async () => {
  const { key, url } = await makeIssues(site, "One", "Two", "Three");
  const lanes = (await site.api.get(`${url}/lanes`)).body.data as Lane[];
  const titlesIn = async (lane: Lane | undefined) => {
    const { body } = await site.api.get(`${url}/issues?lane_id=${lane?.id}&sort=rank`);
    return (body.data as Issue[]).map(({ title }) => title);
  };
  const page = await site.open(`/projects/${key}/board`);
  await link(page, "Two").focus();
  const release = await holdChanges(page);
  await page.keyboard.press("Alt+ArrowUp");
  await eventually(
    () => page.getByRole("region", { name: "Backlog" }).getByRole("link").allTextContents(),
    ["Two", "One", "Three"],
  );
  for (const press of [" ", "ArrowRight", " "]) await page.keyboard.press(press);
  await page.getByRole("region", { name: "To do" }).getByRole("link", { name: "Two" }).waitFor();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  let answers = 0;
  page.on("response", (response) => void (answers += Number(response.url().endsWith("/move"))));
  release("send");
  // Two moves and two back.
  await eventually(() => answers, 4);
  page.removeAllListeners("response");
  await eventually(() => titlesIn(lanes[0]), ["One", "Two", "Three"]);
  await page.leave();
});

test("Ctrl Z while an error is being ignored reopens it, and leaves the one that was resolved before", async () => {
  const errors = await openErrorList(site);
  await errors.send("First");
  await errors.send("Second");
  const page = await site.open(`${errors.url}?tab=all`);
  await rowLink(page, "First").focus();
  await page.keyboard.press("e");
  await messages(page).getByText("First resolved").waitFor();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/bulk-status", async (route) => {
    await released;
    await route.continue();
  });
  await rowLink(page, "Second").focus();
  await page.keyboard.press("h");
  await page.keyboard.press("Control+z");
  await messages(page).getByText("Undoing…").waitFor();
  release();
  await messages(page).getByText("Undone: Second ignored").waitFor();
  assert.equal((await errors.group("Second")).status, 0);
  assert.equal((await errors.group("First")).status, 1);
  await page.leave();
});
