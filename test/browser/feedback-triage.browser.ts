import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { makeIngestKey } from "../support/make.ts";
import { pressInMenu } from "./choose-action.ts";
import { openReportQueue, preview, row, shownTitles } from "./report-queue.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

/** A queue with reports that visitors of a web page have sent. */
async function openFeedback(...bodies: object[]) {
  const queue = await openReportQueue(site);
  const key = await makeIngestKey(site.t.db, queue.id);
  for (const body of bodies) {
    const answer = await site.t.http.send({
      method: "POST",
      url: `/api/projects/${queue.id}/feedback`,
      payload: JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    assert.equal(answer.status, 201, answer.text);
  }
  return queue;
}

test("a report from a web page shows its kind, its author and where it was written", async () => {
  const queue = await openFeedback({
    title: "The cart is empty",
    description: "It was full.",
    author_name: "Kim",
    author_email: "kim@example.com",
    kind: "bug",
    page: "https://shop.example.com/cart?step=2",
    viewport: "1280x720",
    language: "en-US",
    release: "4.12.1",
    environment: "production",
    tags: { plan: "pro" },
  });
  const page = await queue.open();
  await row(page, "The cart is empty").getByText("· Feedback").waitFor();
  const report = preview(page);
  await report.getByText("Bug", { exact: true }).first().waitFor();
  await report.getByText("kim@example.com").waitFor();
  await report.getByText("not confirmed").waitFor();
  const link = report.getByRole("link", { name: /^shop\.example\.com\/cart/ });
  await link.waitFor();
  await eventually(() => link.getAttribute("href"), "https://shop.example.com/cart");
  for (const fact of ["1280 × 720", "en-US", "production", "plan: pro"])
    await report.getByText(fact, { exact: true }).waitFor();
  await report.getByRole("link", { name: "4.12.1" }).waitFor();
  await page.checkAccessibility();
  await page.leave();
});

test("the queue is filtered by kind, and the filter is kept in the URL", async () => {
  const queue = await openFeedback(
    { description: "A dark theme", kind: "idea" },
    { description: "The cart is empty", kind: "bug" },
    { description: "Where is my order?" },
  );
  const page = await queue.open();
  await row(page, "A dark theme").waitFor();
  await page.getByRole("button", { name: "Kind" }).press("Enter");
  await page.getByRole("option", { name: "Idea" }).click();
  await page.waitForURL(/kind=idea/);
  await eventually(() => shownTitles(page), ["A dark theme"]);
  await page.checkAccessibility();
  await page.getByRole("button", { name: "Kind: Idea" }).click();
  await page.getByRole("option", { name: "Question" }).click();
  await page.getByText("No active reports are of this kind.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await eventually(() => shownTitles(page), ["A dark theme", "The cart is empty", "Where is my order?"]);
  await page.leave();
});

test("a report that its author calls a bug is promoted as a bug", async () => {
  const queue = await openFeedback({ description: "The cart is empty", kind: "bug" });
  const page = await queue.open();
  await preview(page).getByRole("button", { name: "Type" }).waitFor();
  await preview(page).getByRole("button", { name: "Promote", exact: true }).click();
  const types = async () =>
    (
      (await queue.client.get(`/api/projects/${queue.id}/issues`)).body as {
        data: { type: number }[];
      }
    ).data.map(({ type }) => type);
  await eventually(types, [1]);
  await page.leave();
});

test("a comment on a report is internal unless its author chooses to reply publicly, which is confirmed the first time", async () => {
  const queue = await openFeedback({ description: "The cart is empty", author_name: "Kim" });
  const page = await queue.open();
  const report = preview(page);
  const comments = async () => {
    const [{ id }] = (await queue.client.get(queue.path)).body as [{ id: number }];
    const { data } = (await queue.client.get(`${queue.path}/${id}/comments`)).body;
    return (data as { content: string; is_public: boolean }[]).map((one) => [one.content, one.is_public]);
  };
  const field = report.getByRole("textbox", { name: "Write a comment" });
  await field.fill("Looks like the session.");
  await report.getByText("Only people in the project can read it.").waitFor();
  await report.getByRole("button", { name: "Comment internally" }).click();
  await report.getByRole("article").getByText("Internal", { exact: true }).waitFor();
  await eventually(comments, [["Looks like the session.", false]]);
  // What is being sent is pale, and the form is not ready for the next comment.
  await eventually(() => report.locator("[aria-busy]").count(), 0);

  await report.getByRole("radio", { name: "Internal" }).focus();
  await page.keyboard.press("ArrowRight");
  await report.getByText("Kim can read it on the status page.").waitFor();
  await field.fill("Thank you, we are on it.");
  await page.checkAccessibility();
  await report.getByRole("button", { name: "Reply publicly" }).click();
  const question = page.getByRole("alertdialog", { name: "Send your first public reply?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await eventually(() => field.inputValue(), "Thank you, we are on it.");
  await report.getByRole("button", { name: "Reply publicly" }).click();
  await question.getByRole("button", { name: "Reply publicly" }).click();
  await report.getByRole("article").getByText("Public", { exact: true }).waitFor();
  await eventually(async () => (await comments())[1], ["Thank you, we are on it.", true]);
  await report.getByRole("button", { name: "Comment internally" }).waitFor();
  await page.leave();
});

test("the audience of the next comment can be chosen while an internal one is being sent", async () => {
  const queue = await openFeedback({ description: "The cart is empty", author_name: "Kim" });
  const page = await queue.open();
  const report = preview(page);
  const { promise: chosen, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/comments", async (route) => {
    if (route.request().method() === "POST") await chosen;
    await route.continue();
  });
  const field = report.getByRole("textbox", { name: "Write a comment" });
  await field.fill("Looks like the session.");
  await report.getByRole("button", { name: "Comment internally" }).click();
  await report.getByRole("radio", { name: "Internal" }).focus();
  await page.keyboard.press("ArrowRight");
  await field.fill("Thank you, we are on it.");
  answer();
  await eventually(() => report.locator("[aria-busy]").count(), 0);
  await report.getByRole("button", { name: "Reply publicly" }).waitFor();
  await page.leave();
});

test("a message of the author of a report is marked, and the status link is shown, replaced and revoked", async () => {
  const queue = await openFeedback({ description: "The cart is empty", author_name: "Kim" });
  const [{ id }] = (await queue.client.get(queue.path)).body as [{ id: number }];
  const linkOf = async () =>
    (await queue.client.get(`${queue.path}/${id}/status-link`)).body.url as string | null;
  const first = (await linkOf()) ?? "";
  const token = new URL(first).pathname.split("/").at(-1);
  const sent = await site.t.http.post(`/api/r/${token}/messages`, { content: "Still empty today." });
  assert.equal(sent.status, 201, sent.text);
  const page = await queue.open();
  const message = preview(page).getByRole("article", { name: "Comment by Kim" });
  await message.getByText("Reporter").waitFor();
  await message.getByText("Still empty today.").waitFor();

  const openDialog = async () => {
    await preview(page)
      .getByRole("button", { name: `Actions for #${id}` })
      .press("Enter");
    await pressInMenu(page, "Status link…");
    return page.getByRole("dialog", { name: "Status link" });
  };
  const dialog = await openDialog();
  await eventually(() => dialog.getByLabel("Address").inputValue(), first);
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Replace" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Replace link" }).click();
  await eventually(async () => (await linkOf()) !== first, true);
  await eventually(async () => (await dialog.getByLabel("Address").inputValue()) === (await linkOf()), true);
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke link" }).click();
  await dialog.getByText(/^The link is revoked/).waitFor();
  await eventually(() => linkOf(), null);
  await dialog.getByRole("button", { name: "Create a new link" }).click();
  await dialog.getByLabel("Address").waitFor();
  await page.leave();
});

test("the name and address of an author are erased after a question", async () => {
  const queue = await openFeedback({
    description: "The cart is empty",
    author_name: "Kim",
    author_email: "kim@example.com",
    page: "https://shop.example.com/cart",
  });
  const page = await queue.open();
  await preview(page)
    .getByRole("button", { name: /^Actions for #/ })
    .press("Enter");
  await pressInMenu(page, "Erase the author…");
  await page.getByRole("alertdialog").getByRole("button", { name: "Erase author" }).click();
  await preview(page).getByText("Visitor").first().waitFor();
  await eventually(
    async () => (await queue.client.get(queue.path)).body[0].author_email as string | null,
    null,
  );
  await page.leave();
});
