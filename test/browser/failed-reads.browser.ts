import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const FAILING = /\/api\/projects\/[^/]+\/(issues|error-groups|reports)(\?|\/\w+-\d+$|$)/;

for (const [path, heading] of [
  ["issues", "Issues"],
  ["board", "Board"],
  ["issues/WEB-1", "WEB-1"],
] as const)
  test(`the page ${path} keeps its heading and the way back if it cannot be loaded`, async () => {
    const page = await site.open("/assets/none.txt");
    await page.route(FAILING, (route) =>
      route.fulfill({ status: 500, json: { message: "The disk is full." } }),
    );
    await page.goto(`/projects/WEB/${path}`);
    await page.getByRole("alert").getByText("The disk is full.").waitFor();
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await page
      .getByRole("navigation", { name: "Breadcrumb" })
      .getByRole("link", { name: "Web shop" })
      .waitFor();
    page.complaints.splice(0);
    await page.leave();
  });

test("a card of the overview that cannot be loaded says so and can be loaded again", async () => {
  const page = await site.open("/assets/none.txt");
  await page.route(FAILING, (route) =>
    route.fulfill({ status: 500, json: { message: "The disk is full." } }),
  );
  await page.goto("/projects/WEB");
  for (const index of [0, 1, 2])
    await page.getByRole("alert").nth(index).getByText("The disk is full.").waitFor();
  await page.unrouteAll();
  const again = page.getByRole("button", { name: "Try again" });
  for (const left of [2, 1, 0]) {
    await again.first().click();
    await eventually(() => again.count(), left);
  }
  await page.getByText("The queue is clear.").waitFor();
  page.complaints.splice(0);
  await page.leave();
});

test("an app that cannot be loaded says why, accessibly, and can be loaded again", async () => {
  const page = await site.open("/assets/none.txt");
  await page.route(/\/api\/boot/, (route) =>
    route.fulfill({ status: 500, json: { message: "The disk is full." } }),
  );
  await page.goto("/projects/WEB");
  await page.getByRole("main").getByRole("alert").getByText("The disk is full.").waitFor();
  await page.checkAccessibility();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Web shop" }).waitFor();
  page.complaints.splice(0);
  await page.leave();
});
