import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { anEvent } from "../support/error-events.ts";
import { SETUP_TOKEN } from "../support/test-app.ts";
import { eventually } from "../support/eventually.ts";
import { sendEvent } from "./error-list.ts";
import { pickOption } from "./pick-option.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();
beforeEach(async () => {
  // The state before the first start. Deleting the workspaces first allows deleting the users.
  await site.t.db.deleteFrom("workspaces").execute();
  await site.t.db.deleteFrom("users").execute();
});

const open = (path: string, options: { theme?: "light" | "dark"; width?: number } = {}) =>
  site.open(path, { as: null, ...options });

const heading = (page: TestPage, name: string) => page.getByRole("heading", { name, level: 1 }).waitFor();

const PERSON = {
  Workspace: "Northwind Bikes",
  Email: "nora@example.com",
  "First name": "Nora",
  "Last name": "Lindqvist",
  Username: "nora",
  Password: "correct horse battery",
};

async function becomeAdministrator(page: TestPage) {
  for (const [label, text] of Object.entries(PERSON))
    await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByRole("button", { name: "Continue" }).click();
  await heading(page, "Email");
}

async function makeProject(page: TestPage) {
  await page.getByLabel("Name", { exact: true }).fill("Web shop");
  await page.getByRole("button", { name: "Create project" }).click();
  await heading(page, "First event");
}

/** Sends an event to the URL and with the key of the code that the page shows. */
async function sendFirstEvent(page: TestPage) {
  await pickOption(page, "Platform", "curl");
  const code = await page.getByRole("region", { name: "curl without a library" }).textContent();
  const [, key] = /Bearer ([0-9a-f]{32})/.exec(code ?? "") ?? assert.fail("the code shows no key");
  const [path] =
    /\/api\/projects\/\w+\/error-events/.exec(code ?? "") ?? assert.fail("the code names no address");
  await sendEvent(site.t.http.as(key ?? ""), path, anEvent({ exception_class: "PaymentFailed" }));
}

test("the first user sets up the server and sees the first event arrive", async () => {
  const page = await open(`/setup?token=${SETUP_TOKEN}`);
  await heading(page, "Account and workspace");
  await eventually(() => page.getByLabel("Setup token").inputValue(), SETUP_TOKEN);
  await becomeAdministrator(page);
  await page.getByText("No mail server is configured").waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await heading(page, "First project");
  await page.getByLabel("Name", { exact: true }).fill("Web shop");
  await eventually(() => page.getByLabel("Key").inputValue(), "WS");
  await makeProject(page);
  await page.getByText("Waiting for the first event").waitFor();
  await sendFirstEvent(page);
  await page.getByText("The first event has arrived").waitFor();
  await page.getByText("PaymentFailed").first().waitFor();
  await page.getByRole("link", { name: "Go to project" }).click();
  await page.waitForURL(/\/projects\/WS/);
  await page.leave();
});

/** Presses Tab until the element with this role and name has the focus. */
async function tabTo(page: TestPage, role: "button" | "link" | "textbox", name: string) {
  const wanted = page.getByRole(role, { name, exact: true });
  for (let presses = 0; presses < 40; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not lead to ${name}`);
}

test("the server can be set up with the keyboard only", async () => {
  const page = await open(`/setup?token=${SETUP_TOKEN}`);
  await heading(page, "Account and workspace");
  for (const [label, text] of Object.entries(PERSON)) {
    // Password fields have no ARIA role.
    if (label === "Password") await page.keyboard.press("Tab");
    else await tabTo(page, "textbox", label);
    await page.keyboard.type(text);
  }
  await page.keyboard.press("Enter");
  await heading(page, "Email");
  await tabTo(page, "button", "Continue");
  await page.keyboard.press("Enter");
  await heading(page, "First project");
  await page.getByLabel("Name", { exact: true }).and(page.locator(":focus")).waitFor();
  await page.keyboard.type("Rider app");
  await page.keyboard.press("Enter");
  await heading(page, "First event");
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "First event");
  await tabTo(page, "button", "Send a test event");
  await page.keyboard.press("Enter");
  await page.getByText("The first event has arrived").waitFor();
  await tabTo(page, "link", "Go to project");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/projects\/RA/);
  await page.leave();
});

test("a reload and the setup URL return to the current step", async () => {
  const page = await open(`/setup?token=${SETUP_TOKEN}`);
  await becomeAdministrator(page);
  await page.reload();
  await heading(page, "Email");
  await page.goto(`/setup?token=${SETUP_TOKEN}`);
  await heading(page, "Email");
  await page.getByRole("button", { name: "Continue" }).click();
  await heading(page, "First project");
  await page.reload();
  await heading(page, "First project");
  await makeProject(page);
  await page.reload();
  await sendFirstEvent(page);
  await page.goto("/setup?project=NONE");
  await heading(page, "First event");
  await page.leave();
});

test("after setup, visitors are redirected to sign-in and signed-in users to the home page", async () => {
  const first = await open(`/setup?token=${SETUP_TOKEN}`);
  await becomeAdministrator(first);
  await first.leave();
  const stranger = await open(`/setup?token=${SETUP_TOKEN}`);
  await stranger.waitForURL("**/sign-in");
  await stranger.leave();
  const { id } = await site.t.db.selectFrom("workspaces").select("id").executeTakeFirstOrThrow();
  const colleague = await site.t.db
    .insertInto("users")
    .values({ username: "sam", email: "sam@example.com", first_name: "Sam", last_name: "Hill" })
    .returning(["id", "username", "email"])
    .executeTakeFirstOrThrow();
  await site.t.db
    .insertInto("workspace_members")
    .values({ workspace_id: id, user_id: colleague.id })
    .execute();
  const page = await site.open("/setup", { as: colleague });
  await page.waitForURL((url) => url.pathname === "/");
  await page.leave();
});

test("a wrong setup token and other invalid values are reported under their fields, and nothing is lost", async () => {
  const page = await open("/setup?token=wrong");
  for (const [label, text] of Object.entries({ ...PERSON, Username: "no good name" }))
    await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator('[aria-invalid="true"]').waitFor();
  await eventually(() => page.getByLabel("Username").getAttribute("aria-invalid"), "true");
  await page.getByLabel("Username").fill("nora");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("alert").getByText("The setup token is wrong.").waitFor();
  await eventually(() => page.getByLabel("Password").inputValue(), PERSON.Password);
  await page.getByLabel("Setup token").fill(SETUP_TOKEN);
  await page.getByRole("button", { name: "Continue" }).click();
  await heading(page, "Email");
  await page.leave();
});

test("every step is accessible in both themes and fits 320 pixels", async () => {
  const page = await open(`/setup?token=${SETUP_TOKEN}`, { width: 320 });
  const check = async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.checkAccessibility();
    }
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(wider, 0, `${page.url()} scrolls sideways`);
  };
  await heading(page, "Account and workspace");
  await check();
  await becomeAdministrator(page);
  await check();
  await page.getByRole("button", { name: "Continue" }).click();
  await heading(page, "First project");
  await check();
  await makeProject(page);
  await check();
  await sendFirstEvent(page);
  await page.getByText("The first event has arrived").waitFor();
  await check();
  await page.leave();
});
