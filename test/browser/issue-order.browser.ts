import { test } from "node:test";
import { createBoard } from "./board-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

test("rows show when issues were created, or updated in any other order", async () => {
  const board = await createBoard(site);
  const { id } = await board.make("Old but fresh");
  const created_at = "2020-01-05T12:00:00Z";
  await site.t.db.updateTable("issues").set({ created_at }).where("id", "=", id).execute();
  const page = await site.open(`/projects/${board.key}/issues`);
  await page.getByRole("listitem").getByText("5 Jan 2020").waitFor();
  await page.goto(`/projects/${board.key}/issues?sort=updated`);
  await page.getByRole("listitem").getByText("just now").waitFor();
  await page.leave();
});
