import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

test("what is typed replaces the due date, and the calendar opens by one click", async () => {
  const issue = await site.create("/issues", { title: "Due", due_on: "2026-11-28" });
  const dueOn = async () =>
    (await site.api.get(`/api/projects/${site.project.id}/issues/${issue.id}`)).body.due_on as string;
  const page = await site.open(`/projects/WEB/issues/${issue.key}`);
  await page.getByRole("button", { name: /^Due:/ }).click();
  await page.getByRole("textbox", { name: "Due" }).waitFor();
  await page.keyboard.type("3 dec 2026");
  await page.keyboard.press("Enter");
  await eventually(dueOn, "2026-12-03");

  await page.getByRole("button", { name: "Choose from a calendar" }).click();
  await page.getByRole("dialog", { name: "Calendar" }).getByText("5", { exact: true }).first().click();
  await eventually(dueOn, "2026-12-05");
  await page.leave();
});
