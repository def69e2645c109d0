import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { createBoard } from "./board-page.ts";
import { openErrorList, rowLink } from "./error-list.ts";
import { openBox, row } from "./inbox-page.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";
import { link, messages, pickPriority } from "./undo-project.ts";

const site = await useTestSite({ LIMIT_INGEST: "100000" });

const REASON = "The disk is full.";

/** The server rejects every change from now on. */
const rejectChanges = (page: TestPage) =>
  page.route("**/api/**", (route) =>
    route.request().method() === "GET"
      ? route.fallback()
      : route.fulfill({ status: 422, json: { message: REASON } }),
  );

/** The message says what was not done, and why. */
async function isSaid(page: TestPage, what: string) {
  const message = messages(page).getByRole("group").filter({ hasText: what });
  await message.getByText(REASON).waitFor();
}

test("a change of an issue that fails says what was not done and why", async () => {
  const board = await createBoard(site);
  const { key } = await board.make("Gift cards");
  const page = await site.open(`/projects/${board.key}/issues/${key}`);
  await page.getByRole("button", { name: "Priority: Medium" }).waitFor();
  await rejectChanges(page);
  await pickPriority(page, "High");
  await isSaid(page, `${key} could not be changed.`);
  await page.getByRole("button", { name: "Watching", exact: true }).click();
  await isSaid(page, `You still watch ${key}.`);
  await page.leave();
});

test("a change of an issue in the list that fails names the issue", async () => {
  const board = await createBoard(site);
  const { key } = await board.make("Gift cards");
  const page = await site.open(`/projects/${board.key}/issues`);
  await link(page, "Gift cards").focus();
  await rejectChanges(page);
  await pickPriority(page, "High");
  await isSaid(page, `${key} could not be changed.`);
  await page.leave();
});

test("a move of a card that fails says which card was not moved and why", async () => {
  const board = await createBoard(site);
  const { key } = await board.make("Gift cards");
  const page = await site.open(`/projects/${board.key}/board`);
  await link(page, "Gift cards").focus();
  await rejectChanges(page);
  for (const press of [" ", "ArrowRight", " "]) await page.keyboard.press(press);
  await isSaid(page, `${key} could not be moved.`);
  await page.leave();
});

test("an error that was not resolved or assigned is named with the reason", async () => {
  const errors = await openErrorList(site);
  await errors.send("Broken");
  const page = await site.open(errors.url);
  await rowLink(page, "Broken").focus();
  await rejectChanges(page);
  await page.keyboard.press("e");
  await isSaid(page, "Broken could not be resolved.");
  await rowLink(page, "Broken").focus();
  await page.keyboard.press("i");
  await isSaid(page, "The error could not be assigned.");
  await page.leave();
});

test("if a notification cannot be marked as read, the message that it was is replaced", async () => {
  const box = await openBox(site, "Grace commented");
  const page = await box.open();
  await row(page, "Grace commented").waitFor();
  const { promise: said, resolve: goOn } = Promise.withResolvers<void>();
  await rejectChanges(page);
  await page.route("**/bulk-read", async (route) => {
    await said;
    await route.fallback();
  });
  await page.keyboard.press("e");
  await messages(page).getByText("1 notification marked as read").waitFor();
  goOn();
  await isSaid(page, "Notifications could not be marked as read.");
  await eventually(() => messages(page).getByText("1 notification marked as read").count(), 0);
  await row(page, "Grace commented").waitFor();
  await page.leave();
});
