import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const issues = `/api/projects/${site.project.id}/issues`;

async function makeIssue(title: string, description = ""): Promise<Issue> {
  const answer = await site.api.post(issues, { title, description });
  assert.equal(answer.status, 201, answer.text);
  return answer.body as Issue;
}

const descriptionOf = async ({ id }: Issue) =>
  ((await site.api.get(`${issues}/${id}`)).body as Issue).description;

test("links open in the app, code is colored and copied, and wide parts scroll by keyboard", async () => {
  const target = await makeIssue("The target");
  const issue = await makeIssue(
    "References",
    [
      `See ${target.key}, OPS-1, #7 and https://example.com/a_b_c.`,
      "```ts\nconst answer = 42; // " + "a long line ".repeat(10) + "\n```",
      `|${" column |".repeat(30)}\n|${"-|".repeat(30)}\n|${" value |".repeat(30)}`,
    ].join("\n\n"),
  );
  const page = await site.open(`/projects/WEB/issues/${issue.key}`, { width: 390 });
  const text = page.getByRole("region", { name: "Description" });
  await text.getByRole("region", { name: "Code" }).waitFor();
  await text.getByRole("region", { name: "Table" }).waitFor();
  await eventually(() => page.evaluate(() => document.documentElement.scrollWidth), 390);
  await eventually(
    () => text.getByRole("link").evaluateAll((links) => links.map((link) => link.textContent)),
    [target.key, "#7", "https://example.com/a_b_c"],
  );
  await text.locator(".hljs-keyword").getByText("const").waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.checkAccessibility();
  }
  await page.emulateMedia({ colorScheme: null });

  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await text.getByRole("button", { name: "Copy code" }).click();
  await page.getByText("Code copied").waitFor();

  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await text.getByRole("link", { name: target.key }).click();
  await page.getByRole("heading", { level: 1, name: `${target.key} The target` }).waitFor();
  await eventually(() => page.evaluate(() => "isSamePage" in window), true);
  await page.leave();
});

test("code is colored also if the highlighter takes longer to load than it may take for the code", async () => {
  const issue = await makeIssue("Slow to load", "```ts\nconst answer = 42;\n```");
  const page = await site.open("/my-issues", { newContext: true });
  await page.clock.install();
  const { promise: passed, resolve: arrive } = Promise.withResolvers<void>();
  await page.route("**/assets/highlight-worker-*.js", async (route) => {
    await passed;
    await route.continue();
  });
  const asked = page.waitForRequest("**/assets/highlight-worker-*.js");
  await page.goto(`/projects/WEB/issues/${issue.key}`);
  await asked;
  await page.clock.fastForward(10_000);
  arrive();
  await page.locator(".hljs-keyword").getByText("const").waitFor();
  await page.leave();
});

test("a link to an issue or a person shows a card on hover and on focus; Esc hides it", async () => {
  const target = await makeIssue("The target of the card");
  const issue = await makeIssue("Cards", `See ${target.key}, #7 and @ada.`);
  const page = await site.open(`/projects/WEB/issues/${issue.key}`);
  const text = page.getByRole("region", { name: "Description" });
  const card = page.getByRole("tooltip");
  await text.getByRole("link", { name: target.key }).hover();
  await card.getByText("The target of the card").waitFor();
  await page.checkAccessibility();
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" });

  // A report that does not exist has no card.
  const missing = page.waitForResponse("**/reports/7");
  await text.getByRole("link", { name: "#7" }).focus();
  assert.equal((await missing).status(), 404);
  await eventually(() => card.count(), 0);
  await page.keyboard.press("Tab");
  await card.getByText("@ada").waitFor();
  const link = text.getByRole("link", { name: "@ada" });
  await eventually(() => link.getAttribute("aria-describedby"), await card.getAttribute("id"));
  await page.leave();
});

test("ticking a task changes its mark only, and keeps what others have changed; lists count the tasks", async () => {
  const issue = await makeIssue("Tasks", "Intro\n\n- [ ] first\n- [x] second\n- [ ] third");
  const page = await site.open("/my-issues");
  // Without live updates, the page does not learn of the changes below before it ticks.
  await page.route("/api/events?*", () => {});
  await page.goto(`/projects/WEB/issues/${issue.key}`);
  const box = (name: string) => page.getByRole("checkbox", { name, exact: true });
  await box("first").click();
  await eventually(() => descriptionOf(issue), "Intro\n\n- [x] first\n- [x] second\n- [ ] third");

  await box("second").focus();
  await page.keyboard.press("Space");
  await eventually(() => descriptionOf(issue), "Intro\n\n- [x] first\n- [ ] second\n- [ ] third");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await eventually(focused, "second");

  const change = (description: string) => site.api.patch(`${issues}/${issue.id}`, { description });
  await change("New\n\n- [x] first\n- [ ] second\n- [ ] third\n- [ ] fourth");
  await box("third").click();
  await eventually(() => descriptionOf(issue), "New\n\n- [x] first\n- [ ] second\n- [x] third\n- [ ] fourth");
  await box("fourth").waitFor();

  await change("- [ ] another");
  await box("fourth").click();
  await page.getByText("The task could not be ticked.").waitFor();
  await box("another").waitFor();
  await eventually(() => descriptionOf(issue), "- [ ] another");

  for (const list of ["issues", "board"]) {
    await page.goto(`/projects/WEB/${list}`);
    await page.getByTitle("0 of 1 task done").waitFor();
  }
  await page.leave();
});
