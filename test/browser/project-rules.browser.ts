import assert from "node:assert/strict";
import { test } from "node:test";
import { makeIngestKey } from "../support/make.ts";
import { eventually } from "../support/eventually.ts";
import { pickOption } from "./pick-option.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

test("a privacy rule is tried on a kept event and saved, and an inbound rule is added and turned off", async () => {
  const made = await site.api.post("/api/projects", { key: "RULE", name: "Rules" });
  assert.equal(made.status, 201, made.text);
  const project = made.body as { id: number };
  const api = `/api/projects/${project.id}`;
  const key = await makeIngestKey(site.t.db, project.id);
  const event = { exception: { values: [{ type: "PaymentFailed", value: "No account K-204117" }] } };
  const sent = await site.t.http.send({
    method: "POST",
    url: `/api/${project.id}/store/?sentry_key=${key}`,
    payload: JSON.stringify(event),
  });
  assert.equal(sent.status, 200, sent.text);

  const page = await site.open("/projects/RULE/settings?section=privacy");
  await page.getByText("No rules of your own.").waitFor();
  await page.getByRole("button", { name: /rules, such as passwords/ }).click();
  await page.getByText("Email addresses.").waitFor();
  await page.getByRole("button", { name: "Add rule" }).click();
  const dialog = page.getByRole("dialog", { name: "Add privacy rule" });
  await dialog.getByLabel("Name").fill("customer number");
  await dialog.getByLabel("Value pattern").fill("(?=K)");
  await dialog.getByRole("button", { name: "Add rule" }).click();
  await dialog
    .getByText(/without lookaround/)
    .last()
    .waitFor();
  await dialog.getByLabel("Value pattern").fill("\\bK-\\d{6}\\b");
  await dialog.getByRole("button", { name: "Try it", exact: true }).click();
  await dialog.getByText("1 value would become").waitFor();
  await dialog.getByText("No account [removed: customer number]").waitFor();
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Add rule" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("customer number", { exact: true }).waitFor();
  await page.getByRole("switch", { name: "Keep the variables of stack frames" }).click();
  await eventually(async () => (await site.api.get(api)).body.keep_vars, true);
  await page.checkAccessibility();

  await page.getByRole("link", { name: "Inbound rules" }).click();
  await page.getByRole("button", { name: "Add rule" }).click();
  const adding = page.getByRole("dialog", { name: "Add inbound rule" });
  await pickOption(adding, "Drop events by", "Exception class");
  await adding.getByLabel("Pattern").fill("^Payment");
  await page.checkAccessibility();
  await adding.getByRole("button", { name: "Add rule" }).click();
  await adding.waitFor({ state: "hidden" });
  const toggle = page.getByRole("switch", { name: "Exception class: ^Payment is active" });
  await toggle.click();
  await page.getByText("Turned off").waitFor();
  const rules = async () =>
    (await site.api.get(`${api}/inbound-rules`)).body.data.map((rule: { kind: string; active: boolean }) => [
      rule.kind,
      rule.active,
    ]);
  await eventually(rules, [["exception_class", false]]);
  await site.t.db
    .updateTable("inbound_rules")
    .set({ active: false, paused_at: new Date().toISOString() })
    .where("project_id", "=", project.id)
    .execute();
  await page.getByText(/^Paused: it took longer than 20 ms/).waitFor();
  await page.checkAccessibility();
  await page.getByRole("button", { name: "Actions for Exception class: ^Payment" }).click();
  await page.getByRole("menuitem", { name: "Edit rule" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText(/^Paused: it took longer than 20 ms/).waitFor({ state: "detached" });
  await eventually(rules, [["exception_class", true]]);
  await page.checkAccessibility();
  await page.leave();
});
