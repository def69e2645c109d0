import assert from "node:assert/strict";
import { test } from "node:test";
import type { GitConnection } from "../../src/shared/git.ts";
import { eventually } from "../support/eventually.ts";
import { openGit, type Payload } from "../support/git.ts";
import { PHONE, useTestSite } from "./test-site.ts";

const site = await useTestSite();
const workspace = { id: site.workspaceId, admin: site.owner };

test("a connection shows its address and its secret once, with the steps of the host", async () => {
  const page = await site.open("/projects/WEB/settings?section=integrations");
  await page.getByRole("link", { name: "Connect GitHub" }).press("Enter");
  await page.getByRole("heading", { name: "Connect GitHub" }).waitFor();
  await page.getByRole("textbox", { name: "Name" }).fill("acme/shop");
  await page.getByRole("checkbox", { name: /^Move issues/ }).check();
  await page.getByRole("button", { name: "Create connection" }).press("Enter");
  const steps = page.getByRole("region", { name: "Finish the set-up in GitHub" });
  assert.match(await steps.getByLabel("Secret").inputValue(), /^whsec_/);
  const url = await steps.getByLabel("Payload URL").inputValue();
  await page.checkAccessibility();

  const connections = async () =>
    (await site.api.get(`/api/projects/${site.project.id}/git-connections`)).body.data as GitConnection[];
  const fields = async () =>
    (await connections()).map(({ host, name, on_open, url: address }) => [host, name, on_open, address]);
  await eventually(fields, [["github", "acme/shop", "doing", url]]);
  await page.reload();
  const list = page.getByRole("list", { name: "Connections" });
  await list.getByText("No delivery yet").waitFor();
  await eventually(() => page.getByText(/whsec_/).count(), 0);
  await list.getByRole("switch").press("Space");
  await eventually(fields, [["github", "acme/shop", null, url]]);
  await list.getByRole("button", { name: "Rename acme/shop" }).press("Enter");
  await page.getByRole("dialog", { name: "Rename connection" }).getByLabel("Name").fill("acme/store");
  await page.keyboard.press("Enter");
  await list.getByText("acme/store", { exact: true }).waitFor();
  await eventually(fields, [["github", "acme/store", null, url]]);
  await list.getByRole("button", { name: "Delete acme/store" }).press("Enter");
  const question = page.getByRole("alertdialog", { name: "Delete the connection acme/store?" });
  await question.getByRole("button", { name: "Delete connection" }).click();
  await page.getByText("No repositories of GitHub are connected yet.").waitFor();
  await eventually(fields, []);
  await page.leave();
});

test("the progress of an issue follows its request from the branch to the merge, without a reload", async () => {
  const git = await openGit(site.t, workspace);
  await git.receive("pull_request");
  const page = await site.open(`/projects/${git.id}/issues/${git.issue.key}`);
  const steps = () =>
    page
      .getByRole("list", { name: "Progress" })
      .getByRole("listitem")
      .evaluateAll((items) =>
        items.map((item) => `${item.querySelector("span > span.sr-only")?.parentElement?.textContent}`),
      );
  await eventually(steps, ["Branch, reached", "Review, not yet", "Checks, not yet", "Merged, not yet"]);
  const development = page.getByRole("region", { name: "Development" });
  await development.getByRole("link", { name: /^Check the cart before the payment/ }).waitFor();
  await page.checkAccessibility();

  await git.receive("pull_request_review");
  await git.receive("check_suite");
  await eventually(steps, ["Branch, done", "Approved, done", "Checks passed, reached", "Merged, not yet"]);
  await git.receive("pull_request", (payload: Payload) => {
    payload.action = "closed";
    Object.assign(payload.pull_request, {
      state: "closed",
      merged: true,
      merged_at: "2026-11-16T11:00:00Z",
      updated_at: "2026-11-16T11:00:00Z",
      merge_commit_sha: "b".repeat(40),
    });
  });
  await eventually(steps, ["Branch, done", "Approved, done", "Checks passed, done", "Merged, reached"]);
  await development.getByText("Merged").waitFor();
  await page.leave();
});

test("the progress and the requests of an issue fit on a phone", async () => {
  const git = await openGit(site.t, workspace);
  await git.receive("pull_request");
  const page = await site.open(`/projects/${git.id}/issues/${git.issue.key}`, { ...PHONE, width: 320 });
  await page.getByRole("region", { name: "Development" }).getByText("acme/shop #128").waitFor();
  await page.checkAccessibility();
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.ok(over <= 0, `${over} px too wide`);
  await page.leave();
});

test("code owners are saved with the project", async () => {
  const page = await site.open("/projects/WEB/settings?section=integrations");
  const owners = page.getByRole("textbox", { name: "CODEOWNERS" });
  await owners.fill("* @ada\n");
  await page.locator("form", { has: owners }).getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").waitFor();
  const { body } = await site.api.get(`/api/projects/${site.project.id}`);
  assert.equal(body.code_owners, "* @ada\n");
  await page.leave();
});

test("lines of CODEOWNERS that name nobody are listed while typing", async () => {
  const page = await site.open("/projects/WEB/settings?section=integrations");
  await page.getByRole("textbox", { name: "CODEOWNERS" }).fill("*.ts @ada\n/src/ @nobody ada@example.com\n");
  const problems = page.getByRole("list", { name: "Problems of CODEOWNERS" });
  await problems
    .getByText("Line 2: No person or team with access to the project is called @nobody.")
    .waitFor();
  await eventually(() => problems.getByRole("listitem").count(), 1);
  await page.checkAccessibility();
  await page.leave();
});

test("an error shows the commits that are suspected of it, and the owners of its code", async () => {
  const git = await openGit(site.t, workspace);
  await git.admin.patch(`/api/projects/${git.id}`, { code_owners: "/src/checkout/ @ada\n" });
  await git.receive("push");
  const { id } = await git.first({ stack_trace: "#0 /app/src/checkout/cart.ts(12): Cart->pay()\n#1 {main}" });
  const page = await site.open(`/projects/${git.issue.key.split("-")[0]}/errors/${id}`);
  const suspects = page.getByRole("list", { name: "Suspect commits" });
  await suspects.getByRole("link", { name: /^Check the cart before the payment/ }).waitFor();
  await suspects.getByText("src/checkout/cart.ts").waitFor();
  await page.getByText("@ada").waitFor();
  await page.checkAccessibility();
  await page.leave();
});
