import assert from "node:assert/strict";
import { test } from "node:test";
import type { AlertRule } from "../../src/shared/alert-rules.ts";
import { anEvent } from "../support/error-events.ts";
import { eventually } from "../support/eventually.ts";
import { makeProjectToken } from "../support/make.ts";
import { chooseAction, pressInMenu } from "./choose-action.ts";
import { sendEvent } from "./error-list.ts";
import { pickOption } from "./pick-option.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
const path = `/api/projects/${site.project.id}/alert-rules`;
const section = "/projects/WEB/settings?section=alerts";

const readRules = async () => (await site.api.get(path)).body.data as AlertRule[];
const readRule = async (name: string) => (await readRules()).find((rule) => rule.name === name);

async function makeRule(name: string): Promise<void> {
  // oxlint-disable-next-line unicorn/no-thenable -- the name of the field in the API
  const body = { name, when: { kind: "spike" }, then: [{ to: "inbox", recipients: ["watchers"] }] };
  const answer = await site.api.post(path, body);
  assert.equal(answer.status, 201, answer.text);
}

test("the default rules of a project read as sentences", async () => {
  const page = await site.open(section);
  const rules = page.getByRole("list", { name: "Alert rules" });
  for (const sentence of [
    "When a new error appears, tell watchers in the inbox and by email.",
    "When a resolved error comes back, tell watchers and the assignee in the inbox and by email.",
    "When an error spikes, tell watchers in the inbox and by email.",
  ])
    await rules.getByText(sentence).waitFor();
  await page.checkAccessibility();
  await page.leave();
});

test("a rule is built from its parts while its sentence and preview follow, and is saved as shown", async () => {
  const token = await makeProjectToken(site.t.db, site.project.id, site.owner.id);
  const events = `/api/projects/${site.project.id}/error-events`;
  await sendEvent(site.t.http.as(token), events, anEvent({ environment: "production" }));
  const page = await site.open(section);
  await page.getByRole("button", { name: "Add rule" }).click();
  const dialog = page.getByRole("dialog", { name: "Add alert rule" });
  await dialog
    .getByText("When an error passes 100 events in 10 minutes, tell watchers.", { exact: true })
    .waitFor();
  await dialog.getByLabel("Name").fill("Checkout fails");
  await dialog.getByLabel("In minutes").fill("60");
  await pickOption(dialog, "Environment", "production");
  await dialog.getByRole("button", { name: "Add action" }).click();
  await pickOption(dialog, "Action 2", "Create an issue");
  await dialog
    .getByText(
      "When an error passes 100 events in 1 hour in production, tell watchers and create an issue.",
      {
        exact: true,
      },
    )
    .waitFor();
  await dialog.getByText("It would not have fired in the last 7 days.").waitFor();
  await page.checkAccessibility();
  await pickOption(dialog, "When", "A new error appears");
  await dialog.getByText("It would have fired about 1 time in the last 7 days.").waitFor();
  await dialog.getByRole("button", { name: "Add rule" }).click();
  await dialog.waitFor({ state: "hidden" });
  const rule = await readRule("Checkout fails");
  assert.deepEqual(
    [rule?.when, rule?.if, rule?.then, rule?.every_minutes],
    [
      { kind: "new_group" },
      { environment: "production" },
      [{ to: "inbox", recipients: ["watchers"] }, { to: "issue" }],
      60,
    ],
  );
  await page.leave();
});

test("a threshold outside its limits is rejected under its field", async () => {
  const page = await site.open(section);
  await page.getByRole("button", { name: "Add rule" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add alert rule" });
  await dialog.getByLabel("Name").fill("Too short");
  await dialog.getByLabel("In minutes").fill("5");
  await dialog.getByText("Complete the rule to see how often it would have fired.").waitFor();
  await dialog.getByRole("button", { name: "Add rule" }).press("Enter");
  await dialog.getByText(/^Must be a whole number from 10/).waitFor();
  assert.equal(await readRule("Too short"), undefined);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.leave();
});

test("a rule is muted, unmuted, turned off, edited and deleted with the keyboard alone", async () => {
  await makeRule("Spikes of the night");
  const page = await site.open(section);
  const row = page
    .getByRole("list", { name: "Alert rules" })
    .getByRole("listitem")
    .filter({ hasText: "Spikes of the night" });
  const act = async (...entries: string[]) => {
    await row.getByRole("button", { name: "Actions for Spikes of the night" }).press("Enter");
    for (const name of entries) await pressInMenu(page, name);
  };
  await act("Mute until", "Tomorrow");
  await row.getByText("Muted", { exact: true }).waitFor();
  assert.notEqual((await readRule("Spikes of the night"))?.muted_until, null);
  await act("Unmute");
  await row.getByText("Muted", { exact: true }).waitFor({ state: "detached" });

  await row.getByRole("switch").press("Space");
  await row.getByText("Turned off").waitFor();
  await eventually(async () => (await readRule("Spikes of the night"))?.active, false);

  await act("Edit rule");
  const dialog = page.getByRole("dialog", { name: "Edit Spikes of the night" });
  await dialog.getByLabel("Name").fill("Spikes at night");
  await dialog.getByLabel("Name").press("Enter");
  await dialog.waitFor({ state: "hidden" });
  assert.deepEqual((await readRule("Spikes at night"))?.when, { kind: "spike" });

  await chooseAction(page, "Spikes at night", "Delete rule");
  const question = page.getByRole("alertdialog", { name: "Delete Spikes at night?" });
  await question.getByRole("button", { name: "Delete rule" }).press("Enter");
  await question.waitFor({ state: "hidden" });
  assert.equal(await readRule("Spikes at night"), undefined);
  await page.leave();
});
