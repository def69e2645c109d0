import { test } from "node:test";
import type { Issue } from "../../src/shared/issues.ts";
import { eventually } from "../support/eventually.ts";
import { card, createBoard, created } from "./board-page.ts";
import { PHONE, useTestSite } from "./test-site.ts";

/* Journeys by touch only, on a phone: the tests tap and type, and press no key. */

const site = await useTestSite();

test("a lane is collapsed and expanded", async () => {
  const board = await createBoard(site);
  await board.make("One");
  const page = await site.open(`/projects/${board.key}/board`, PHONE);
  await page.getByRole("button", { name: "Collapse Backlog" }).tap();
  await card(page, "One").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Expand Backlog" }).tap();
  await card(page, "One").waitFor();
  await page.leave();
});

test("an issue is moved to a sprint and back in planning", async () => {
  const board = await createBoard(site);
  const sprint = (await created(site, `${board.url}/sprints`, { name: "Week 12" })) as Issue;
  const issue = await board.make("Plan me");
  const page = await site.open(`/projects/${board.key}/sprints/${sprint.id}`, PHONE);
  await page.getByRole("link", { name: "Plan", exact: true }).tap();
  const planned = async () =>
    ((await site.api.get(`${board.url}/issues/${issue.key}`)).body as Issue).sprint_id;
  await page.getByRole("button", { name: `Add ${issue.key} to Week 12` }).tap();
  await eventually(planned, sprint.id);
  await page.getByRole("button", { name: `Move ${issue.key} to the backlog` }).tap();
  await eventually(planned, null);
  await page.leave();
});
