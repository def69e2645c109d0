import assert from "node:assert/strict";
import { test } from "node:test";
import type { Route } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import type { TestPage } from "./test-page.ts";
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

const act = async (page: TestPage, thing: string, verb: string) => {
  await page.getByRole("button", { name: `Actions for ${thing}` }).click();
  await page.getByRole("menuitem", { name: verb }).click();
};

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

  await act(page, "Shop server", "Revoke token");
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

test("the setup section waits for the first event and shows it when it arrives", async () => {
  const project = await makeProject("EVT");
  const { body } = await site.api.post(`/api/projects/${project.id}/tokens`, {
    name: "Shop",
    access: "read_write",
  });
  const page = await site.open(settings("setup", "EVT"));
  await page.getByText("Waiting for the first event").waitFor();
  for (const language of ["curl", "Node.js", "PHP", "Python", "Ruby", "Java", "Go", ".NET"]) {
    await page.getByRole("tab", { name: language, exact: true }).click();
    const code = await page.getByRole("region", { name: language, exact: true }).textContent();
    assert.match(code ?? "", /YOUR_PROJECT_TOKEN/);
    assert.ok(code?.includes(site.url) && code.includes("EVT"), `${language} names this server and project`);
  }
  const sent = await site.t.http.as(body.token).post(`/api/projects/EVT/error-events`, {
    environment: "production",
    exception_class: "PaymentFailed",
    message: "Card declined",
    stack_trace: "",
  });
  assert.equal(sent.status, 202);
  await page.getByText("PaymentFailed").waitFor();
  await page.leave();
});

test("a test event arrives, and its temporary token is deleted", async () => {
  const project = await makeProject("TEST");
  const page = await site.open(settings("setup", "TEST"));
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByText("TestEvent").waitFor();
  const { body } = await site.api.get(`/api/projects/${project.id}/tokens`);
  assert.deepEqual(body.data, []);
  await page.leave();
});
