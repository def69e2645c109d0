import assert from "node:assert/strict";
import { test } from "node:test";
import { anEvent } from "../support/error-events.ts";
import { eventually } from "../support/eventually.ts";
import { makeProjectToken } from "../support/make.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const p = `/api/projects/${site.project.id}`;

const sender = site.t.http.as(await makeProjectToken(site.t.db, site.project.id, site.owner.id));
assert.equal((await sender.post("/api/projects/WEB/error-events", anEvent())).status, 202);
const [group] = (await site.api.get(`${p}/error-groups`)).body.data as { id: number }[];
const errorPath = `error-groups/${group?.id}`;

test("Ctrl P prints all comments, also those that are not loaded yet", async () => {
  for (let number = 1; number <= 53; number++) {
    const { status } = await site.api.post(`${p}/${errorPath}/comments`, { content: `Thought ${number}` });
    assert.equal(status, 201);
  }
  const page = await site.open(`/projects/WEB/errors/${group?.id}`);
  await page.getByRole("button", { name: "Show more comments (3)" }).waitFor();
  await page.emulateMedia({ media: "print" });
  await page.getByText("3 more comments are not printed.").waitFor();
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => {
    globalThis.print = () => {
      document.body.dataset["printed"] = String(document.querySelectorAll("article[id^=comment-]").length);
    };
  });
  await page.keyboard.press("Control+p");
  await eventually(() => page.locator("body").getAttribute("data-printed"), "53");
  await page.leave();
});

test("issues, reports and errors are printed without controls and without empty labels", async () => {
  const { body: issue } = await site.api.post(`${p}/issues`, { title: "Squeaking brakes" });
  const { body: report } = await site.api.post(`${p}/reports`, {
    title: "Brakes squeak",
    description: "On every ride.",
  });
  const page = await site.open("/my-issues");
  for (const [path, title] of [
    [`issues/${issue.key}`, "Squeaking brakes"],
    [`reports/${report.id}`, "Brakes squeak"],
    [`errors/${group?.id}`, anEvent()["exception_class"]],
  ] as const) {
    await page.emulateMedia({ media: "screen" });
    await page.goto(`/projects/WEB/${path}`);
    await page.getByRole("textbox", { name: "Write a comment" }).waitFor();
    await page.emulateMedia({ media: "print" });
    await page.getByText(String(title)).first().waitFor();
    await eventually(() => page.getByText(/ago$|just now/).count(), 0, `a relative time in ${path}`);
    for (const control of ["textbox", "navigation", "tab"] as const)
      await eventually(() => page.getByRole(control).allTextContents(), [], `${control} in ${path}`);
    if (path.startsWith("errors"))
      await eventually(() => page.getByText("Issue", { exact: true }).isVisible(), false);
  }
  await page.leave();
});
