import { test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { createIssue } from "./issue-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const base = `/api/projects/${site.project.id}`;

const makeIssue = (title: string, fields?: Record<string, unknown>) => createIssue(site, title, fields);

test("J and K go through the list the issue was opened from", async () => {
  const lane = (await site.api.get(`${base}/lanes`)).body.data[0].id as number;
  const [older, newer] = [
    await makeIssue("Older", { lane_id: lane }),
    await makeIssue("Newer", { lane_id: lane }),
  ];
  const page = await site.open("/projects/WEB/issues");
  await page.getByRole("link", { name: "Newer" }).click();
  await page.getByRole("heading", { level: 1, name: `${newer.key} Newer` }).waitFor();
  await page.keyboard.press("j");
  await page.getByRole("heading", { level: 1, name: `${older.key} Older` }).waitFor();
  await page.keyboard.press("k");
  await page.getByRole("heading", { level: 1, name: `${newer.key} Newer` }).waitFor();
  await page.leave();
});

test("next and previous follow the filtered and sorted list, even after a reload", async () => {
  for (const title of ["Sorted b", "Sorted c", "Not of it", "Sorted a"]) await makeIssue(title);
  const page = await site.open("/projects/WEB/issues?sort=title&query=sorted");
  const heading = (title: string) => page.getByRole("heading", { level: 1, name: new RegExp(`${title}$`) });
  await page.getByRole("link", { name: "Sorted b" }).click();
  await heading("Sorted b").waitFor();
  await page.getByText("2 of 3").waitFor();
  await page.keyboard.press("j");
  await heading("Sorted c").waitFor();
  await page.getByRole("link", { name: /^History/ }).click();
  await page.waitForURL(/tab=history/);
  await page.reload();
  await page.getByText("3 of 3").waitFor();
  await page.getByRole("button", { name: "Previous issue" }).click();
  await heading("Sorted b").waitFor();
  const address = page.url();
  await page.leave();

  const direct = await site.open(address);
  await direct.getByRole("heading", { level: 1, name: /Sorted b$/ }).waitFor();
  await eventually(() => direct.getByRole("button", { name: "Next issue" }).count(), 0);
  await direct.leave();
});
