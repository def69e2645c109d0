import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { eventually } from "../support/eventually.ts";
import { pressInMenu } from "./choose-action.ts";
import { PHONE, useTestSite } from "./test-site.ts";

const site = await useTestSite();

const list = "/projects/WEB/settings?section=integrations";
const path = (id?: number) => `/api/projects/${site.project.id}/webhooks${id === undefined ? "" : `/${id}`}`;

async function makeWebhook(body: object = {}): Promise<{ id: number; page: string }> {
  const answer = await site.api.post(path(), {
    url: "https://hooks.example.com/signalbox",
    events: ["*"],
    ...body,
  });
  assert.equal(answer.status, 201, answer.text);
  return { id: answer.body.id, page: `/projects/WEB/settings/webhooks/${answer.body.id}` };
}

/** Stores the answers of a receiver to the latest delivery of a webhook, as the job that sends it does. */
async function answerLatest(webhookId: number, status: "succeeded" | "failed", codes: number[]) {
  const attempts = codes.map((status_code, second) => ({
    started_at: `2026-11-20T09:00:0${second}.000000Z`,
    duration_ms: 48,
    status_code,
    error: null,
    response_body: `{"code":${status_code}}`,
  }));
  await sql`update webhook_deliveries
    set status = ${status}, attempts = ${JSON.stringify(attempts)}::jsonb, attempt_count = ${codes.length}, next_attempt_at = null,
      request = '{"headers": {"webhook-id": "evt_1"}}'
    where id = (select max(id) from webhook_deliveries where webhook_id = ${webhookId})`.execute(site.t.db);
}

test("a webhook is created with the events that were chosen, and its secret is shown once", async () => {
  const page = await site.open(list);
  await page.getByRole("link", { name: "Connect Webhook", exact: true }).click();
  await page.getByRole("heading", { name: "Connect Webhook" }).waitFor();
  await page.getByLabel("URL").fill("https://192.168.0.7/hook");
  await page.getByRole("checkbox", { name: "All events" }).uncheck();
  const issues = page.getByRole("group", { name: "Issues" });
  await issues.getByRole("checkbox", { name: "Issues" }).check();
  await issues.getByRole("checkbox", { name: "Deleted" }).uncheck();
  await page.getByRole("group", { name: "Errors" }).getByRole("checkbox", { name: "New" }).check();
  await page.checkAccessibility();
  await page.getByRole("button", { name: "Connect Webhook" }).click();
  // An address in a private network is refused.
  await page.locator("input[type=url][aria-invalid=true]").waitFor();
  await page.getByLabel("URL").fill("https://hooks.example.com/created");
  await page.getByRole("button", { name: "Connect Webhook" }).click();
  const secret = page.getByRole("dialog", { name: "Copy the secret now" });
  assert.match(await secret.getByLabel("Secret").inputValue(), /^whsec_/);
  await page.checkAccessibility();
  await secret.getByRole("button", { name: "Done" }).click();
  await page.getByRole("heading", { level: 1, name: "Webhook", exact: true }).waitFor();
  const { body } = await site.api.get(path());
  const created = body.data.find(({ url }: { url: string }) => url === "https://hooks.example.com/created");
  assert.deepEqual(created.events.toSorted(), [
    "error_group.created",
    "issue.closed",
    "issue.created",
    "issue.development_changed",
    "issue.moved",
    "issue.reopened",
    "issue.updated",
  ]);
  await page.goto(list);
  const row = page.getByRole("list", { name: "Connected" }).getByRole("listitem");
  await row.filter({ hasText: "Webhook: hooks.example.com/created" }).getByText("Issues, Errors").waitFor();
  await page.leave();
});

test("the address of a chat is masked, and saving other fields keeps it", async () => {
  const url = "https://hooks.slack.com/services/T0000/B0000/secret-cdef";
  const page = await site.open("/projects/WEB/settings/connect/slack");
  await page.getByRole("heading", { name: "Connect Slack" }).waitFor();
  await page.getByLabel("Webhook URL").fill(url);
  await page.getByRole("button", { name: "Connect Slack" }).click();
  await page.getByRole("heading", { level: 1, name: "Slack", exact: true }).waitFor();
  const shown = await page.getByLabel("Webhook URL").inputValue();
  // One of the examples of messages.
  await page.getByRole("region", { name: "Messages" }).getByText("Errors: new").waitFor();
  assert.ok(shown.endsWith("cdef") && !shown.includes("secret"), shown);
  await page.getByRole("checkbox", { name: "All events" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").waitFor();
  const stored = await sql<{ url: string; events: string[] }>`
    select url, events from webhooks where format = 'slack' order by id desc limit 1`.execute(site.t.db);
  assert.deepEqual(stored.rows, [{ url, events: ["*"] }]);
  await page.leave();
});

test("a test shows what the receiver answered", async () => {
  const webhook = await makeWebhook();
  const page = await site.open(webhook.page);
  await page.getByRole("button", { name: "Send test" }).click();
  const dialog = page.getByRole("dialog", { name: "Test" });
  await dialog.getByText(/^Waiting for the answer/).waitFor();
  await answerLatest(webhook.id, "succeeded", [204]);
  await dialog.getByText("Answered 204 in 48 ms").waitFor();
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Done" }).press("Enter");
  await page.getByRole("list", { name: "Deliveries" }).getByText("Succeeded").waitFor();
  await page.leave();
});

test("a failed delivery shows its request and attempts, is sent again, and is found with the filters", async () => {
  const webhook = await makeWebhook();
  await site.api.post(`${path(webhook.id)}/test`);
  await answerLatest(webhook.id, "failed", [503, 500]);
  const page = await site.open(webhook.page);
  const deliveries = page.getByRole("list", { name: "Deliveries" });
  await deliveries.getByRole("button", { name: /^Failed Test/ }).press("Enter");
  await deliveries.getByText("Answered 500 in 48 ms").waitFor();
  await deliveries.getByText("Answered 503 in 48 ms").waitFor();
  await deliveries.getByText("webhook-id: evt_1").waitFor();
  await deliveries.getByText('"type": "webhook.test"').waitFor();
  await page.checkAccessibility();
  await deliveries.getByRole("button", { name: /^Send again/ }).press("Enter");
  await deliveries.getByText("Next attempt").waitFor();

  await page.getByRole("button", { name: /^Status/ }).click();
  await page.getByRole("option", { name: "Succeeded" }).click();
  await page.getByText("No deliveries match these filters.").waitFor();
  assert.match(page.url(), /status=succeeded/);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await deliveries.getByRole("button", { name: /Test/ }).waitFor();
  await page.leave();
});

test("failed deliveries of a time are recovered together", async () => {
  const webhook = await makeWebhook();
  for (const _ of [1, 2]) {
    await site.api.post(`${path(webhook.id)}/test`);
    await answerLatest(webhook.id, "failed", [500]);
  }
  const page = await site.open(webhook.page);
  await page.getByRole("button", { name: "Recover failed deliveries" }).click();
  const dialog = page.getByRole("dialog", { name: "Recover failed deliveries" });
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Recover" }).click();
  await page.getByText("2 deliveries will be sent again").waitFor();
  await page.leave();
});

test("failed deliveries between two moments are recovered", async () => {
  const webhook = await makeWebhook();
  await site.api.post(`${path(webhook.id)}/test`);
  await answerLatest(webhook.id, "failed", [500]);
  await sql`update webhook_deliveries set created_at = '2026-11-20T12:00:00Z' where webhook_id = ${webhook.id}`.execute(
    site.t.db,
  );
  const page = await site.open(webhook.page);
  await page.getByRole("button", { name: "Recover failed deliveries" }).click();
  const dialog = page.getByRole("dialog", { name: "Recover failed deliveries" });
  await dialog.getByRole("button", { name: "Time" }).click();
  await page.getByRole("option", { name: "Custom range" }).click();
  await dialog.getByLabel("Start date").fill("20 Nov 2026");
  await dialog.getByLabel("Start time").fill("08:00");
  await dialog.getByLabel("End date").fill("19 Nov 2026");
  await dialog.getByLabel("End time").fill("20:00");
  await dialog.getByRole("button", { name: "Recover" }).click();
  await dialog.getByText("Choose an end after the start.").waitFor();
  await page.checkAccessibility();
  await dialog.getByLabel("End date").fill("20 Nov 2026");
  await dialog.getByRole("button", { name: "Recover" }).click();
  await page.getByText("1 delivery will be sent again").waitFor();
  await page.leave();
});

test("a rotated secret is shown once", async () => {
  const webhook = await makeWebhook();
  const page = await site.open(webhook.page);
  await page.getByRole("button", { name: "Actions for the webhook" }).press("Enter");
  await pressInMenu(page, "Rotate secret");
  const question = page.getByRole("alertdialog", { name: "Rotate the secret?" });
  await question.getByRole("button", { name: "Rotate secret" }).click();
  const secret = page.getByRole("dialog", { name: "Copy the secret now" });
  assert.match(await secret.getByLabel("Secret").inputValue(), /^whsec_/);
  await secret.getByRole("button", { name: "Done" }).click();
  await secret.waitFor({ state: "hidden" });
  await page.leave();
});

test("a webhook that the server turned off is marked for managers, turned on again and deleted", async () => {
  const { api } = site;
  const project = (await api.post("/api/projects", { key: "OFF", name: "Off" })).body as { id: number };
  const own = `/api/projects/${project.id}/webhooks`;
  const body = { url: "https://hooks.example.com/gone", events: ["*"] };
  const { id } = (await api.post(own, body)).body as { id: number };
  await sql`update webhooks set active = false, disabled_reason = 'gone' where id = ${id}`.execute(site.t.db);
  const page = await site.open("/projects/OFF", PHONE);
  await page.getByText("A webhook of the project fails.").waitFor();
  await page.getByRole("link", { name: "Open integrations" }).tap();
  await page.getByRole("link", { name: "Integrations: 1 failing" }).waitFor();
  await page.getByText("Turned off after failures").waitFor();
  await page.checkAccessibility();
  await page.getByRole("link", { name: /hooks\.example\.com\/gone/ }).tap();
  await page.getByText(/^The receiver answered 410 Gone/).waitFor();
  await page.getByRole("button", { name: "Turn on again" }).tap();
  await page.getByText(/^The receiver answered 410 Gone/).waitFor({ state: "detached" });
  await eventually(async () => (await api.get(`${own}/${id}`)).body.active, true);

  await page.getByRole("button", { name: "Actions for the webhook" }).tap();
  await page.getByRole("menuitem", { name: "Delete webhook" }).tap();
  const question = page.getByRole("alertdialog", { name: "Delete the webhook?" });
  await question.getByRole("button", { name: "Delete webhook" }).tap();
  await page.getByText("Nothing is connected yet.").waitFor();
  assert.equal((await api.get(`${own}/${id}`)).status, 404);
  await page.leave();
});

test("administrators connect services to the whole workspace", async () => {
  const page = await site.open(`/workspaces/${site.workspaceId}/settings?section=integrations`);
  await page.getByText("Nothing is connected yet.").waitFor();
  await page.getByRole("link", { name: "Connect ntfy" }).click();
  await page.getByLabel("Address of the topic").fill("https://ntfy.sh/shop-alerts-7f3k9");
  await page.getByRole("button", { name: "Connect ntfy" }).click();
  await page.getByRole("heading", { level: 1, name: "ntfy", exact: true }).waitFor();
  const { body } = await site.api.get(`/api/workspaces/${site.workspaceId}/webhooks`);
  assert.deepEqual(
    body.data.map(({ format }: { format: string }) => format),
    ["ntfy"],
  );
  await page.leave();
});

test("people who may not change the project see no integrations", async () => {
  const webhook = await makeWebhook();
  const member = await site.member("Member");
  const page = await site.open("/projects/WEB/settings", { as: member });
  await page.getByRole("link", { name: "General" }).waitFor();
  await eventually(() => page.getByRole("link", { name: /^Integrations/ }).count(), 0);
  await page.goto(webhook.page);
  await page.getByText("Not found").first().waitFor();
  await page.leave();
});
