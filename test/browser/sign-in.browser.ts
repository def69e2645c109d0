import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Secret, TOTP } from "otpauth";
import { queuePasswordResets } from "../../src/server/account/password/queue-password-resets.ts";
import { makePerson, PASSWORD, type Person } from "../support/person.ts";
import { makeUser } from "../support/make.ts";
import { eventually } from "../support/eventually.ts";
import type { TestPage } from "./test-page.ts";
import { openTestSite, useTestSite, type OpenOptions } from "./test-site.ts";

const site = await useTestSite({
  OIDC_ISSUER: "http://localhost:9",
  OIDC_CLIENT_ID: "signalbox",
  OIDC_CLIENT_SECRET: "secret",
  OIDC_NAME: "Acme Login",
});
let person: Person;
beforeEach(async () => {
  person = await makePerson(site.t);
  await site.t.db
    .insertInto("workspace_members")
    .values({ workspace_id: site.workspaceId, user_id: person.id })
    .execute();
});

const open = (path: string, options: OpenOptions = {}) => site.open(path, { as: null, ...options });

async function signIn(page: TestPage, email: string, password: string) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const isAt = (path: string) => (url: URL) => url.pathname === path;

test("email and password sign in and lead back to the requested page", async () => {
  const page = await open("/my-issues");
  await page.waitForURL(/sign-in\?return_to=%2Fmy-issues$/);
  await signIn(page, person.email, PASSWORD);
  await page.waitForURL(isAt("/my-issues"));
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.leave();
});

test("signing in works with the keyboard only: the email field has the focus, and Enter submits", async () => {
  const page = await open("/sign-in");
  await page.getByLabel("Email").and(page.locator(":focus")).waitFor();
  await page.keyboard.type(person.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(isAt("/"));
  await page.leave();
});

test("a wrong password and an unknown email get the same error, and the fields keep their text", async () => {
  const page = await open("/sign-in");
  await signIn(page, person.email, "wrong horse");
  const message = await page.getByRole("alert").textContent();
  assert.ok(message);
  await eventually(() => page.getByLabel("Email").inputValue(), person.email);
  await page.reload();
  await signIn(page, "nobody@example.com", "wrong horse");
  await eventually(() => page.getByRole("alert").textContent(), message);
  await page.leave();
});

test("a return URL outside the app is ignored", async () => {
  const page = await open("/sign-in?return_to=//evil.example/x");
  await signIn(page, person.email, PASSWORD);
  await page.waitForURL(isAt("/"));
  assert.equal(new URL(page.url()).origin, site.url);
  await page.leave();
});

test("the fields have autocomplete attributes for password managers", async () => {
  const page = await open("/sign-in");
  const autocomplete = (label: string) => page.getByLabel(label).getAttribute("autocomplete");
  await eventually(() => autocomplete("Email"), "username");
  await eventually(() => autocomplete("Password"), "current-password");
  await eventually(() => page.locator("form").count(), 1);
  await page.leave();
});

/** Turns the second factor on. */
async function activate(): Promise<{ secret: string; recovery_codes: string[] }> {
  const browser = await person.signIn();
  const path = "/api/profile/second-factor";
  const { body } = await browser.post(path, { current_password: PASSWORD });
  const confirmed = await browser.post(`${path}/confirm`, { code: codeOf(body.secret) });
  assert.equal(confirmed.status, 200, confirmed.text);
  await site.t.db
    .updateTable("second_factors")
    .set({ last_step: 0 })
    .where("user_id", "=", person.id)
    .execute();
  return { secret: body.secret, recovery_codes: confirmed.body.recovery_codes };
}

const codeOf = (secret: string) => TOTP.generate({ secret: Secret.fromBase32(secret) });

test("an account with a second factor is asked for its code, and a wrong code is reported", async () => {
  const { secret } = await activate();
  const page = await open("/sign-in");
  await signIn(page, person.email, PASSWORD);
  const code = page.getByLabel("Code");
  await code.waitFor();
  await eventually(() => page.getByRole("alert").count(), 0);
  await eventually(() => code.evaluate((element) => element === document.activeElement), true);
  await eventually(() => code.getAttribute("autocomplete"), "one-time-code");
  await page.checkAccessibility();
  await page.keyboard.type("000000");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await code.fill(codeOf(secret));
  await page.keyboard.press("Enter");
  await page.waitForURL(isAt("/"));
  await page.leave();
});

test("the code keeps its text and focus after a rate-limit response", async () => {
  const { secret } = await activate();
  const page = await open("/sign-in");
  await signIn(page, person.email, PASSWORD);
  const code = page.getByLabel("Code");
  await code.and(page.locator(":focus")).waitFor();
  await page.route("/api/session", (route) =>
    route.fulfill({ status: 429, headers: { "retry-after": "1" }, json: { message: "Too many requests." } }),
  );
  const typed = codeOf(secret);
  await page.keyboard.type(typed);
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("Too many requests.").waitFor();
  await eventually(() => code.inputValue(), typed);
  await eventually(() => code.evaluate((element) => element === document.activeElement), true);
  await page.unroute("/api/session");
  await page.keyboard.press("Enter");
  await page.waitForURL(isAt("/"));
  await page.leave();
});

test("a recovery code replaces the code of the second factor", async () => {
  const { recovery_codes } = await activate();
  const page = await open("/sign-in");
  await signIn(page, person.email, PASSWORD);
  await page.getByLabel("Code").fill(recovery_codes[0] ?? "");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(isAt("/"));
  await page.leave();
});

test("the identity provider's button leads to it, and its errors are shown as text", async () => {
  const page = await open("/sign-in?return_to=/my-issues&error=denied");
  await page.getByRole("alert").getByText("Sign-in was canceled.").waitFor();
  const link = page.getByRole("link", { name: "Sign in with Acme Login" });
  await eventually(() => link.getAttribute("href"), "/api/oidc/start?return_to=%2Fmy-issues");
  await page.goto("/sign-in?error=constructor");
  await page.getByLabel("Email").waitFor();
  await eventually(() => page.getByRole("alert").count(), 0);
  await page.leave();
});

test("after too many attempts the page says when to retry", async () => {
  const strict = await openTestSite({ LIMIT_SIGN_IN: "1" });
  try {
    const page = await strict.open("/sign-in", { as: null });
    await signIn(page, "nobody@example.com", "wrong horse");
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText(/Try again in \d+ s\./).waitFor();
    await page.leave();
  } finally {
    await strict.close();
  }
});

test("the emailed link resets a password once, and the page does not reveal whether an account exists", async () => {
  const page = await open("/sign-in");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  const ask = async (email: string) => {
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send link" }).click();
    const answer = await page.getByRole("status").textContent();
    return answer?.replace(email, "ADDRESS");
  };
  const message = await ask(person.email);
  await page.goto("/password/forgot");
  assert.equal(await ask("nobody@example.com"), message);
  await queuePasswordResets(site.t.db);
  const mail = await site.t.db
    .selectFrom("mails")
    .select("button_path")
    .where("user_id", "=", person.id)
    .executeTakeFirstOrThrow();
  const link = mail.button_path ?? assert.fail("the mail has no link");
  await page.goto(link);
  await page.getByLabel("New password").fill("battery staple");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByRole("heading", { name: "Your password is set" }).waitFor();
  await page.getByRole("link", { name: "Sign in" }).click();
  await signIn(page, person.email, "battery staple");
  await page.waitForURL(isAt("/"));
  await page.goto(link);
  await page.getByLabel("New password").fill("another staple");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByText("It is invalid, already used, or older than an hour.").waitFor();
  await page.getByRole("link", { name: "Request a new link" }).waitFor();
  await page.leave();
});

async function invite(email: string): Promise<string> {
  const { body } = await site.api.post(`/api/workspaces/${site.workspaceId}/invitations`, {
    email,
    projects: [],
  });
  return new URL(body.link).pathname;
}

test("an invitation creates an account as a member, and works once", async () => {
  const path = await invite("ines@example.com");
  const page = await open(path);
  await page.getByText("Ada Moss has invited you. Your account will use ines@example.com.").waitFor();
  for (const [label, text] of [
    ["First name", "Ines"],
    ["Last name", "Duarte"],
    ["Username", "ines"],
    ["Password", "correct horse"],
  ] as const)
    await page.getByLabel(label).fill(text);
  await page.getByRole("button", { name: "Create account and join" }).click();
  await page.waitForURL(isAt("/"));
  await page.goto(path);
  await page.getByRole("heading", { name: "This invitation cannot be used" }).waitFor();
  await page.leave();
});

test("an invitation is accepted by the signed-in user, or by another user after signing out", async () => {
  const { id } = await makeUser(site.t.db);
  const stranger = await site.t.db
    .selectFrom("users")
    .select(["id", "username", "email"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const path = await invite(stranger.email);
  const page = await open(path, { as: stranger });
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Create account and join" }).waitFor();
  await page.leave();
  const again = await open(path, { as: stranger });
  await again.getByRole("button", { name: "Join as Ada Moss" }).click();
  await again.waitForURL(isAt("/"));
  const member = await site.t.db
    .selectFrom("workspace_members")
    .select("user_id")
    .where("user_id", "=", id)
    .executeTakeFirst();
  assert.ok(member);
  await again.leave();
});

test("an invitation for an existing account asks to sign in and continues afterwards", async () => {
  const path = await invite(person.email);
  const page = await open(path);
  for (const [label, text] of [
    ["First name", "Ada"],
    ["Last name", "Moss"],
    ["Username", "ada-again"],
    ["Password", "correct horse"],
  ] as const)
    await page.getByLabel(label).fill(text);
  await page.getByRole("button", { name: "Create account and join" }).click();
  await page.getByRole("alert").getByText("already has an account").waitFor();
  await page.getByRole("link", { name: "Sign in" }).click();
  await signIn(page, person.email, PASSWORD);
  await page.getByRole("button", { name: "Join as Ada Moss" }).waitFor();
  await page.leave();
});

test("every page is accessible in both themes and fits 320 pixels", async () => {
  const path = await invite("eva@example.com");
  const pages: [string, OpenOptions][] = [
    ["/sign-in?error=expired", {}],
    ["/password/forgot", {}],
    ["/password/reset?token=unknown", {}],
    ["/password/reset", {}],
    [path, {}],
    [path, { as: person }],
    ["/invitations/unknown", {}],
  ];
  for (const [address, options] of pages) {
    const page = await open(address, { width: 320, ...options });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("button").or(page.getByRole("link")).first().waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.checkAccessibility();
    }
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(wider, 0, `${address} scrolls sideways`);
    await page.leave();
  }
});
