import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import type { Comment } from "../../src/shared/comments.ts";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually } from "../support/eventually.ts";
import { pressInMenu } from "./choose-action.ts";
import { focusOn } from "./focus.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const projectUrl = () => `/api/projects/${site.project.id}`;

async function makeIssue(title: string): Promise<Issue & { page: string; comments: string }> {
  const answer = await site.api.post(`${projectUrl()}/issues`, { title });
  assert.equal(answer.status, 201, answer.text);
  const issue = answer.body as Issue;
  return {
    ...issue,
    page: `/projects/WEB/issues/${issue.key}`,
    comments: `${projectUrl()}/issues/${issue.id}/comments`,
  };
}

async function comment(url: string, fields: Record<string, unknown>, by = site.api): Promise<Comment> {
  const answer = await by.post(url, fields);
  assert.equal(answer.status, 201, answer.text);
  return answer.body as Comment;
}

const listed = async (url: string) => (await site.api.get(url)).body.data as Comment[];
const field = (page: TestPage) => page.getByRole("textbox", { name: "Write a comment" });
const cardOf = (page: TestPage, text: string): Locator =>
  page.getByRole("article").filter({ hasText: text }).last();
const menuOf = async (page: TestPage, text: string, item: string) => {
  await cardOf(page, text).getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

test("a comment with a mention is written, previewed, liked, pinned, replied to, edited and deleted with its reply", async () => {
  await site.member("Member", { username: "benita", email: "benita@example.com" });
  const issue = await makeIssue("Comments by mouse");
  const page = await site.open(issue.page);

  await field(page).click();
  await page.keyboard.type("**Look** @beni");
  await page.getByRole("option", { name: /@benita/ }).click();
  const form = page.getByRole("form", { name: "Write a comment" });
  await form.getByRole("button", { name: "Preview" }).click();
  await form.getByText("@benita", { exact: true }).waitFor();
  await form.getByRole("button", { name: /^Comment/ }).click();
  await cardOf(page, "Look @benita").getByRole("button", { name: "Like", exact: true }).click();
  await cardOf(page, "Look @benita").getByRole("button", { name: "Like, 1. You like this" }).waitFor();

  await menuOf(page, "Look @benita", "Pin");
  await page.getByRole("list", { name: "Pinned" }).getByText("Look").waitFor();

  await cardOf(page, "Look @benita").getByRole("button", { name: "Reply" }).click();
  await page.getByRole("textbox", { name: "Reply" }).fill("An answer");
  await page
    .getByRole("form", { name: "Reply" })
    .getByRole("button", { name: /^Reply/ })
    .click();
  await page.getByRole("list", { name: "Replies" }).getByText("An answer").waitFor();

  await menuOf(page, "Look @benita", "Edit");
  await page.getByRole("textbox", { name: "Edit comment" }).fill("Looked at");
  await page.getByRole("button", { name: /^Save/ }).click();
  await cardOf(page, "Looked at").waitFor();
  await eventually(async () => {
    const [root, reply] = await listed(issue.comments);
    return [root?.content, root?.is_pinned, root?.liker_ids, reply?.parent_id === root?.id];
  }, ["Looked at", true, [site.owner.id], true]);

  await menuOf(page, "Looked at", "Delete");
  const dialog = page.getByRole("alertdialog", { name: "Delete this comment?" });
  await dialog.getByText("Its reply will be deleted too.").waitFor();
  await dialog.getByRole("button", { name: "Delete comment" }).click();
  await page.getByText("No comments yet").waitFor();
  await eventually(() => listed(issue.comments), []);
  await page.leave();
});

test("the people to mention, a reply's buttons and the next comment's field stay inside a small window", async () => {
  await site.member("Member", { username: "mira", email: "mira@example.com" });
  const issue = await makeIssue("A small window");
  for (const content of ["One", "Two", "Three"]) await comment(issue.comments, { content });
  const page = await site.open(issue.page, { height: 420 });
  const isInside = async (what: Locator) => {
    const box = await what.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= 420;
  };
  await cardOf(page, "Two").getByRole("button", { name: "Reply" }).click();
  await eventually(() => isInside(page.getByRole("form", { name: "Reply" })), true);
  await page.keyboard.press("Escape");
  await field(page).focus();
  await page.keyboard.type("Hello @mir");
  await page.getByRole("option", { name: /@mira/ }).waitFor();
  await eventually(() => isInside(page.getByRole("listbox", { name: "People" })), true);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  await cardOf(page, "Hello @mira").getByRole("button", { name: "More" }).waitFor();
  await eventually(() => isInside(page.getByRole("form", { name: "Write a comment" })), true);
  await page.leave();
});

test("comments can be written, liked, edited and deleted with the keyboard only", async () => {
  await site.member("Member", { username: "carlos", email: "carlos@example.com" });
  const issue = await makeIssue("Comments by keyboard");
  const page = await site.open(issue.page);
  await field(page).focus();
  await page.keyboard.type("Ask @carl");
  await page.getByRole("option", { name: /@carlos/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("today");
  await page.keyboard.press("Control+Enter");
  const card = cardOf(page, "Ask @carlos today");
  await card.getByRole("button", { name: "Like", exact: true }).focus();
  await eventually(() => field(page).inputValue(), "");
  await page.keyboard.press("Enter");
  await card.getByRole("button", { name: "Like, 1. You like this" }).waitFor();

  await page.keyboard.press("Tab");
  await focusOn(page, "button", "Reply");
  await page.keyboard.press("Enter");
  await focusOn(page, "textbox", "Reply");
  await page.keyboard.type("On it");
  await page.keyboard.press("Control+Enter");
  await cardOf(page, "On it").getByRole("button", { name: "More" }).press("Enter");
  await pressInMenu(page, "Edit");
  const edit = page.getByRole("textbox", { name: "Edit comment" });
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Edit comment");
  await page.keyboard.press("End");
  await page.keyboard.type(" now");
  await page.keyboard.press("Control+Enter");
  await edit.waitFor({ state: "hidden" });
  await cardOf(page, "On it now").waitFor();

  await card.getByRole("button", { name: "More" }).first().press("Enter");
  await pressInMenu(page, "Delete");
  await page.getByRole("button", { name: "Delete comment" }).press("Enter");
  await page.getByText("No comments yet").waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Write a comment");
  await page.leave();
});

test("a comment that the server rejects keeps its text, and a second attempt sends it", async () => {
  const issue = await makeIssue("A failing server");
  const page = await site.open(issue.page);
  await page.route("**/comments", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 500, json: { message: "The disk is full." } })
      : route.continue(),
  );
  await field(page).fill("Not to be lost");
  await field(page).press("Control+Enter");
  await page.getByText("Could not be sent. The disk is full. Your text was kept.").waitFor();
  await eventually(() => field(page).inputValue(), "Not to be lost");
  await eventually(() => page.getByRole("article").count(), 0);
  page.complaints.splice(0);
  await page.unroute("**/comments");
  await field(page).press("Control+Enter");
  await cardOf(page, "Not to be lost").getByRole("button", { name: "Reply" }).waitFor();
  await eventually(async () => (await listed(issue.comments)).length, 1);
  await page.leave();
});

test("drafts of comments and replies survive a reload", async () => {
  const issue = await makeIssue("Drafts");
  await comment(issue.comments, { content: "Root" });
  const other = await makeIssue("Without drafts");
  const page = await site.open(issue.page);
  await field(page).fill("Half a thought");
  await cardOf(page, "Root").getByRole("button", { name: "Reply" }).click();
  await page.getByRole("textbox", { name: "Reply" }).fill("Half an answer");
  await page.reload();
  await page.getByRole("textbox", { name: "Reply" }).waitFor();
  await eventually(() => field(page).inputValue(), "Half a thought");
  await eventually(() => page.getByRole("textbox", { name: "Reply" }).inputValue(), "Half an answer");
  await page.goto(other.page);
  await field(page).waitFor();
  await eventually(() => field(page).inputValue(), "");
  await page.leave();
});

test("a comment longer than 10,000 characters cannot be sent", async () => {
  const issue = await makeIssue("Long comments");
  const page = await site.open(issue.page);
  const send = page.getByRole("form", { name: "Write a comment" }).getByRole("button", { name: /^Comment/ });
  await field(page).fill("😀".repeat(10_000));
  await page.getByText("0 characters left").waitFor();
  await eventually(() => send.isEnabled(), true);
  await field(page).fill("😀".repeat(10_001));
  await page.getByText("1 characters too many").waitFor();
  await eventually(() => send.isEnabled(), false);
  await page.leave();
});

test("a link to a comment scrolls to it, even on a later page, and says if it was deleted", async () => {
  const issue = await makeIssue("A long discussion");
  const made: Comment[] = [];
  for (let index = 0; index < 52; index++)
    made.push(await comment(issue.comments, { content: `Comment number ${index}` }));
  const last = made.at(-1);
  const page = await site.open(`${issue.page}#comment-${last?.id}`);
  const card = cardOf(page, "Comment number 51");
  await card.waitFor();
  await page.waitForFunction((id) => document.activeElement?.id === id, `comment-${last?.id}`);
  await card.getByRole("link").click();
  await page.waitForURL(new RegExp(`#comment-${last?.id}$`));
  await page.goto(`${issue.page}#comment-999999`);
  await page.reload();
  await page.getByText("The comment this link points to was deleted.").waitFor();
  await page.leave();
});

test("a long discussion loads page by page, and a new comment appears at its end", async () => {
  const issue = await makeIssue("Pages");
  for (let index = 0; index < 52; index++) await comment(issue.comments, { content: `Entry ${index}.` });
  const page = await site.open(issue.page);
  const more = page.getByRole("button", { name: "Show more comments (2)" });
  await more.waitFor();
  await eventually(() => page.getByText("Entry 51.").count(), 0);
  await field(page).fill("The newest");
  await field(page).press("Control+Enter");
  await page.getByText("Entry 51.").waitFor();
  await more.waitFor({ state: "hidden" });
  await eventually(() => page.getByRole("article").count(), 53);
  await page.getByRole("article").last().getByText("The newest").waitFor();
  await page.leave();
});

test("another user's comment appears live and keeps an unsent draft", async () => {
  const dana = await site.member("Member", { username: "dana", email: "dana@example.com" });
  const issue = await makeIssue("Live");
  const page = await site.open(issue.page);
  await field(page).fill("I am still writ");
  await page.getByText("No comments yet").waitFor();
  await comment(issue.comments, { content: "From elsewhere" }, await site.clientOf(dana));
  await cardOf(page, "From elsewhere").waitFor();
  await eventually(() => field(page).inputValue(), "I am still writ");
  await page.keyboard.type("ing");
  await eventually(() => field(page).inputValue(), "I am still writing");
  await page.leave();
});

test("users can edit their own comments, and those of others only if they may update issues", async () => {
  const reporter = await site.member("Reporter");
  const issue = await makeIssue("Rights");
  await comment(issue.comments, { content: "By the owner" });
  await comment(issue.comments, { content: "By the reporter" }, await site.clientOf(reporter));
  const page = await site.open(issue.page, { as: reporter });
  await cardOf(page, "By the owner").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Copy link" }).waitFor();
  await eventually(() => page.getByRole("menuitem").allInnerTexts(), ["Copy link"]);
  await page.keyboard.press("Escape");
  await cardOf(page, "By the reporter").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).waitFor();
  await eventually(() => page.getByRole("menuitem").allInnerTexts(), ["Copy link", "Edit", "Delete"]);
  await page.leave();
});

test("users with read access can see and like comments, but not write any", async () => {
  const viewer = await site.member("Viewer");
  const issue = await makeIssue("For viewers");
  await comment(issue.comments, { content: "Something to like" });
  const page = await site.open(issue.page, { as: viewer });
  await cardOf(page, "Something to like").getByRole("button", { name: "Like", exact: true }).click();
  await cardOf(page, "Something to like")
    .getByRole("button", { name: /^Like, 1\./ })
    .waitFor();
  await page.getByText("Your role in this project doesn’t allow you to comment.").waitFor();
  await eventually(() => page.getByRole("button", { name: "Reply" }).count(), 0);
  await eventually(() => field(page).count(), 0);
  await page.leave();
});

test("comments, their editors and the delete confirmation are accessible in both themes", async () => {
  const issue = await makeIssue("Accessible comments");
  const root = await comment(issue.comments, {
    content: "# Root\n\nwith `code` and a [link](https://example.com)",
  });
  await comment(issue.comments, { content: "A reply", parent_id: root.id });
  await comment(issue.comments, { content: "Second" });
  await site.api.post(`${issue.comments}/${root.id}/pin`);
  await site.api.post(`${issue.comments}/${root.id}/like`);
  for (const theme of ["light", "dark"] as const) {
    const page = await site.open(`${issue.page}#comment-${root.id}`, { theme });
    await cardOf(page, "Second").getByRole("button", { name: "Reply" }).click();
    await page.getByRole("textbox", { name: "Reply" }).waitFor();
    await page.getByRole("heading", { name: "Root" }).waitFor();
    await page.checkAccessibility();
    await cardOf(page, "Second").getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).waitFor();
    await page.checkAccessibility();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("alertdialog").waitFor();
    await page.checkAccessibility();
    await page.leave();
  }
});

test("a person who scrolls away while a comment is being sent stays there", async () => {
  const issue = await makeIssue("A slow network");
  for (const content of ["One", "Two", "Three", "Four"]) await comment(issue.comments, { content });
  const page = await site.open(issue.page, { height: 420 });
  const response = Promise.withResolvers<void>();
  await page.route(`**${issue.comments}`, async (route) => {
    if (route.request().method() === "POST") await response.promise;
    await route.continue();
  });
  await field(page).fill("Five");
  await page.keyboard.press("Control+Enter");
  await cardOf(page, "Five").waitFor();
  const drawTwice = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  // The page scrolls to the new comment.
  await drawTwice();
  const title = page.getByRole("heading", { level: 1 });
  await title.scrollIntoViewIfNeeded();
  const before = await title.boundingBox();
  response.resolve();
  await cardOf(page, "Five").getByRole("button", { name: "More" }).waitFor();
  await drawTwice();
  assert.deepEqual(await title.boundingBox(), before);
  await page.leave();
});
