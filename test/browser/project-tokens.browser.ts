import assert from "node:assert/strict";
import { test } from "node:test";
import type { Route } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { chooseAction } from "./choose-action.ts";
import type { IngestKey } from "../../src/shared/ingest-keys.ts";
import { pickOption } from "./pick-option.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const settings = (section: string, key = "WEB") => `/projects/${key}/settings?section=${section}`;

/** Creates a project for tests whose changes would affect others. */
async function makeProject(key: string): Promise<{ id: number; key: string }> {
  const answer = await site.api.post("/api/projects", { key, name: `Project ${key}` });
  assert.equal(answer.status, 201, answer.text);
  return answer.body as { id: number; key: string };
}

/** Holds requests until they are released; later ones pass immediately. */
function heldAnswer() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    await promise;
    await route.fulfill({ response: await route.fetch() });
  };
  return { hold, release: resolve };
}

test("a token is shown once, turned off, and revoked", async () => {
  const project = await makeProject("TOK");
  const page = await site.open(settings("tokens", "TOK"));
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Shop server");
  await page.getByRole("button", { name: "Create token" }).click();
  const shown = page.getByRole("dialog", { name: "Copy the token now" });
  const token = await shown.getByLabel("Token", { exact: true }).inputValue();
  assert.match(token, /^sbx_prj_/);
  const read = () => site.t.http.as(token).get(`/api/projects/${project.id}/reports`);
  await eventually(async () => (await read()).status, 200);
  await page.checkAccessibility();
  await page.keyboard.press("Escape");
  await page.mouse.click(8, 8);
  await eventually(() => shown.getByLabel("Token", { exact: true }).inputValue(), token);
  await shown.getByRole("button", { name: "Done" }).click();
  await page.getByText("Does not expire").waitFor();
  await eventually(() => page.getByText(token).count(), 0);

  await page.getByRole("switch", { name: "Shop server is active" }).click();
  await page.getByText("Turned off").waitFor();
  await eventually(async () => (await read()).status, 403);

  await chooseAction(page, "Shop server", "Revoke token");
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke token" }).click();
  await page.getByText("No tokens yet.").waitFor();
  await eventually(async () => (await read()).status, 401);
  await page.leave();
});

test("closing the dialog while a token is being created does not lose it", async () => {
  const project = await makeProject("SLOW");
  const page = await site.open(settings("tokens", "SLOW"));
  const { hold, release } = heldAnswer();
  await page.route("**/tokens", (route) =>
    route.request().method() === "POST" ? hold(route) : route.continue(),
  );
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Shop server");
  const asked = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Create token" }).click();
  await asked;
  await page.keyboard.press("Escape");
  await page.mouse.click(8, 8);
  await eventually(() => page.getByRole("button", { name: "Cancel" }).isDisabled(), true);
  release();
  const token = await page.getByLabel("Token", { exact: true }).inputValue();
  await eventually(
    async () => (await site.t.http.as(token).get(`/api/projects/${project.id}/reports`)).status,
    200,
  );
  await page.leave();
});

test("quick presses of a switch are sent in order, and it ends in the displayed state", async () => {
  const project = await makeProject("FAST");
  const path = `/api/projects/${project.id}/tokens`;
  await site.api.post(path, { name: "Shop", access: "read" });
  const page = await site.open(settings("tokens", "FAST"));
  const { hold, release } = heldAnswer();
  let underWay = 0;
  let most = 0;
  let answered = 0;
  await page.route("**/tokens/*", async (route) => {
    most = Math.max(most, ++underWay);
    await hold(route);
    underWay--;
    answered++;
  });
  const control = page.getByRole("switch", { name: "Shop is active" });
  const isOn = page.getByRole("switch", { name: "Shop is active", checked: true });
  const isOff = page.getByRole("switch", { name: "Shop is active", checked: false });
  for (const shown of [isOff, isOn, isOff]) {
    await control.click();
    await shown.waitFor();
  }
  release();
  await eventually(async () => {
    const { body } = await site.api.get(path);
    return [answered, most, (body.data as { active: boolean }[])[0]?.active];
  }, [3, 1, false]);
  await isOff.waitFor();
  await page.leave();
});

test("an ingest key is created, limited to origins, turned off and deleted", async () => {
  const project = await makeProject("ING");
  const page = await site.open(settings("ingestion", "ING"));
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Shop");
  await dialog.getByLabel("Allowed origins").fill("https://shop.example.com/\nshop.example.com");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByText("Origin 2 must be an origin").waitFor();
  await page.checkAccessibility();
  await dialog.getByLabel("Allowed origins").fill("https://shop.example.com/");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await page.getByText("https://shop.example.com", { exact: true }).waitFor();
  const path = `/api/projects/${project.id}/ingest-keys`;
  const shop = async () =>
    ((await site.api.get(path)).body.data as IngestKey[]).find(({ name }) => name === "Shop");
  assert.deepEqual((await shop())?.allowed_origins, ["https://shop.example.com"]);

  await pickOption(page, "Ingest key", "Shop");
  for (const name of ["Send a test event", "Send a test event as a Sentry SDK"]) {
    await page.getByRole("button", { name, exact: true }).click();
    const refused = page.getByText("This key is only for pages of https://shop.example.com.");
    await refused.waitFor();
    await page.getByRole("button", { name: "Close message" }).first().click();
    await refused.waitFor({ state: "detached" });
  }

  await page.getByRole("switch", { name: "Shop is active" }).click();
  await page.getByText("Turned off").waitFor();
  await eventually(async () => (await shop())?.active, false);

  await chooseAction(page, "Shop", "Delete key");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete key" }).click();
  await page.getByRole("switch", { name: "Shop is active" }).waitFor({ state: "detached" });
  await eventually(shop, undefined);
  await page.leave();
});

test("the ingestion section has code for each platform with the DSN, shows the first event when it arrives, and usage counts it", async () => {
  const project = await makeProject("EVT");
  const { body } = await site.api.get(`/api/projects/${project.id}/ingest-keys`);
  const [{ dsn, key }] = body.data as [IngestKey];
  const page = await site.open(settings("ingestion", "EVT"));
  await page.getByText("Waiting for the first event").waitFor();
  await page.getByRole("button", { name: /^Platform/ }).click();
  await page.getByRole("option", { name: "Python", exact: true }).waitFor();
  const platforms = await page.getByRole("option").allTextContents();
  await page.keyboard.press("Escape");
  assert.ok(platforms.length >= 12, String(platforms));
  // It has its own choice of languages.
  assert.equal(platforms.at(-1), "OpenTelemetry");
  for (const platform of platforms.slice(0, -1)) {
    await pickOption(page, "Platform", platform);
    const code = page.getByRole("region", { name: new RegExp(`^${platform.replaceAll(".", "\\.")} with`) });
    await eventually(() => code.count(), 2);
    for (const text of await code.allTextContents())
      assert.ok(text.includes(dsn) || text.includes(key), `${platform}: ${text}`);
  }
  await page.getByRole("button", { name: "Send a test event", exact: true }).click();
  await page.getByText("The first event has arrived").waitFor();
  await page.getByText("TestEvent").first().waitFor();
  await page.getByRole("button", { name: "Send a test event as a Sentry SDK" }).click();
  await page.getByText("Events arrive. The latest: SentryTestEvent").waitFor();
  const usage = async () => (await site.api.get(`/api/projects/${project.id}/usage?days=1`)).body.data[0];
  await eventually(async () => (await usage()).accepted, 2);

  await page.goto(settings("usage", "EVT"));
  await page.getByRole("radio", { name: "Accepted: 2" }).waitFor();
  await page.getByRole("slider", { name: "Accepted per day" }).waitFor();
  await page.leave();
});

test("for OpenTelemetry, the ingestion section has variables with the key and code for each language", async () => {
  const project = await makeProject("OTL");
  const { body } = await site.api.get(`/api/projects/${project.id}/ingest-keys`);
  const [{ key }] = body.data as [IngestKey];
  const page = await site.open(settings("ingestion", "OTL"));
  await pickOption(page, "Platform", "OpenTelemetry");
  for (const [language, signal, code] of [
    ["Node.js", "logs", "new NodeSDK()"],
    ["Python", "logs", "LoggingHandler"],
    ["Java", "logs", "setException(exception)"],
    ["Go", "traces", "RecordError(err"],
  ] as const) {
    await pickOption(page, "Language", language);
    const variables = page.getByRole("region", { name: `Variables for OpenTelemetry in ${language}` });
    await variables.getByText(`authorization=Bearer ${key}`).waitFor();
    await variables.getByText(`/api/projects/OTL/otlp/v1/${signal}`).waitFor();
    await page
      .getByRole("region", { name: `OpenTelemetry in ${language}`, exact: true })
      .getByText(code)
      .waitFor();
  }
  await page.leave();
});

test("an ingest key is shown as used once a test event is accepted", async () => {
  await makeProject("USE");
  const page = await site.open(settings("ingestion", "USE"));
  await page.getByText("Never used").waitFor();
  await page.getByRole("button", { name: "Send a test event", exact: true }).click();
  await page.getByText("Never used").waitFor({ state: "detached" });
  await page.getByText("Last used").waitFor();
  await page.leave();
});
