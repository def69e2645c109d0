import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { openErrorList } from "./error-list.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const topOf = (of: Locator) => of.evaluate((element) => Math.round(element.getBoundingClientRect().top));
const bottomOf = (of: Locator) =>
  of.evaluate((element) => Math.round(element.getBoundingClientRect().bottom));
const header = (page: TestPage) => page.locator("main header").first();
const scrollTo = (page: TestPage, y: number) => page.evaluate((top) => window.scrollTo({ top }), y);
const lost = (page: TestPage) => page.getByText("No connection to the server. This page");
const field = (page: TestPage) => page.getByRole("textbox", { name: "Write a comment" });

const LONG = Array.from({ length: 120 }, (_, line) => `Line ${line}.`).join("\n\n");

async function makeIssue(title: string, fields = {}) {
  const issue = await site.create("/issues", { title, ...fields });
  const comments = `/api/projects/${site.project.id}/issues/${issue.id}/comments`;
  const comment = async (content: string) => {
    const answer = await site.api.post(comments, { content });
    assert.equal(answer.status, 201, answer.text);
  };
  return { url: `/projects/WEB/issues/${issue.key}`, comment };
}

test("the header and the properties of a long issue stay, and the header takes over the title", async () => {
  const { url } = await makeIssue("A very long story", { description: LONG });
  const page = await site.open(url);
  const title = header(page).getByText("A very long story", { exact: true });
  await page.getByText("Line 119.").waitFor();
  await eventually(() => title.count(), 0);
  await scrollTo(page, 1_500);
  await title.waitFor();
  await eventually(() => topOf(header(page)), 0);
  const rail = page.getByRole("complementary", { name: "Properties" });
  assert.ok((await topOf(rail)) >= 48);
  assert.ok((await bottomOf(rail)) <= 800);
  assert.equal((await topOf(header(page).getByRole("button", { name: /watch/i }))) >= 0, true);
  await scrollTo(page, 0);
  await title.waitFor({ state: "hidden" });
  await page.leave();
});

test("on a phone, the header of a long issue is below the bar of the app", async () => {
  const { url } = await makeIssue("A long story for phones", { description: LONG });
  const page = await site.open(url, { width: 390, height: 844 });
  await page.getByText("Line 119.").waitFor();
  await scrollTo(page, 1_500);
  await eventually(() => topOf(header(page)), 48);
  await header(page).getByText("A long story for phones", { exact: true }).waitFor();
  await page.leave();
});

test("the actions and the details of a long error stay; details that do not fit stay with their end", async () => {
  const errors = await openErrorList(site);
  const frames = Array.from({ length: 80 }, (_, n) => `#${n} /srv/app/src/Long${n}.php(12): run()`);
  await errors.send("LongError", { stack_trace: frames.join("\n"), message: "It is long" });
  const page = await errors.openPageOf("LongError", { height: 600 });
  await page.getByText("Long0.php").first().waitFor();
  await scrollTo(page, 1_200);
  await header(page).getByText("It is long", { exact: true }).waitFor();
  assert.equal((await topOf(page.getByRole("button", { name: /^Resolve/ }).first())) < 48, true);
  const rail = page.getByRole("complementary", { name: "Details" }).locator("> div");
  await eventually(() => bottomOf(rail), 600);
  await page.leave();
});

test("the connection notice stays at the top of a scrolled page, and the comment box repeats it", async () => {
  const { url } = await makeIssue("Without connection", { description: LONG });
  const page = await site.open(url);
  await field(page).focus();
  await page.context().setOffline(true);
  await lost(page).waitFor();
  await eventually(() => topOf(lost(page)), 0);
  await eventually(() => topOf(header(page)), await bottomOf(lost(page)));
  await page
    .getByRole("form", { name: "Write a comment" })
    .getByText(
      "No connection to the server. You can write; your comment is sent when the connection is back.",
    )
    .waitFor();
  await page.context().setOffline(false);
  await lost(page).waitFor({ state: "hidden" });
  page.complaints.splice(0);
  await page.leave();
});

test("a comment box with the focus does not move when others comment", async () => {
  const issue = await makeIssue("A lively talk", { description: LONG });
  await issue.comment("First");
  const page = await site.open(issue.url);
  await page.getByText("First", { exact: true }).waitFor();
  await field(page).focus();
  await page.keyboard.type("My thoughts");
  const form = page.getByRole("form", { name: "Write a comment" });
  const before = await topOf(form);
  await issue.comment("Second\n\nwith\n\nfour\n\nparagraphs");
  await page.getByText("paragraphs", { exact: true }).waitFor();
  await eventually(() => topOf(form), before);
  await eventually(() => field(page).inputValue(), "My thoughts");
  await page.leave();
});
