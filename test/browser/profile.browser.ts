import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { Client } from "../support/client.ts";
import { png } from "../support/images.ts";
import { makeCookie, makeFreshCookie, makeMember, type TestUser } from "../support/make.ts";
import { eventually } from "../support/eventually.ts";
import { codeOf, openSecondFactor, PASSWORD as USER_PASSWORD } from "../support/second-factor.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const PASSWORD = "correct horse battery";

type Account = {
  user: TestUser;
  client: Client;
  email: string;
  open(section: string, theme?: "light" | "dark"): Promise<TestPage>;
};

/** Creates a user through an invitation, so that they have a password. */
async function openAccount(name: string): Promise<Account> {
  const user = await makeMember(site.t.db, site.project.id, { role: "Manager" });
  const email = `${name}@example.com`;
  await site.t.db.updateTable("users").set({ email }).where("id", "=", user.id).execute();
  const client = site.api.withCookie(await makeFreshCookie(site.t.db, user.id));
  const answer = await client.post("/api/profile/password", { password: PASSWORD });
  assert.equal(answer.status, 204, answer.text);
  return {
    user,
    // Its session ended with the change.
    client: await site.clientOf(user),
    email,
    open: (section, theme = "light") =>
      site.open(`/settings/profile?section=${section}`, { as: user, theme }),
  };
}

test("a name is changed; a new email address requires the password, and a wrong password is reported under its field", async () => {
  const account = await openAccount("grace");
  const page = await account.open("profile");
  await page.getByRole("textbox", { name: "First name" }).fill("Grace");
  await page.getByRole("textbox", { name: "Email" }).fill("hopper@example.com");
  const password = page.getByLabel("Current password");
  await password.fill("wrong password");
  await page.keyboard.press("Enter");
  await page.getByText("Is wrong.").waitFor();
  await page.checkAccessibility();
  await password.fill(PASSWORD);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved").waitFor();
  const { body } = await account.client.get("/api/profile");
  assert.deepEqual([body.first_name, body.email], ["Grace", "hopper@example.com"]);
  await page.leave();
});

test("a picture is previewed, uploaded and removed", async () => {
  const account = await openAccount("pia");
  const page = await account.open("profile", "dark");
  const file = page.getByLabel(/Drop a file here/);
  await file.setInputFiles({ name: "cv.pdf", mimeType: "application/pdf", buffer: Buffer.from("a") });
  await page.getByText("cv.pdf is not an image.").waitFor();
  await file.setInputFiles({ name: "me.png", mimeType: "image/png", buffer: await png(300, 200) });
  await page.getByRole("img", { name: "Preview" }).waitFor();
  await page.checkAccessibility();
  await page.getByRole("button", { name: "Use this picture" }).click();
  const remove = page.getByRole("button", { name: "Remove picture" });
  await remove.waitFor();
  assert.notEqual((await account.client.get("/api/profile")).body.profile_picture, null);
  await remove.click();
  await remove.waitFor({ state: "detached" });
  await eventually(async () => (await account.client.get("/api/profile")).body.profile_picture, null);
  await page.leave();
});

test("theme, time zone and single-key shortcuts are saved immediately", async () => {
  const account = await openAccount("theo");
  const page = await account.open("display");
  await page.getByRole("radio", { name: "Dark" }).check();
  await eventually(() => page.evaluate(() => document.documentElement.dataset["theme"]), "dark");
  await page.getByRole("button", { name: /Time zone/ }).press("ArrowDown");
  await page.getByRole("combobox", { name: /^Search/ }).fill("New York");
  await page
    .getByRole("option", { name: /America\/New York/ })
    .and(page.locator("[data-highlighted]"))
    .waitFor();
  await page.keyboard.press("Enter");
  const keys = page.getByRole("switch", { name: "Single-key shortcuts" });
  await keys.click();
  await eventually(async () => {
    const { body } = await account.client.get("/api/profile");
    return [body.theme, body.time_zone, body.single_keys];
  }, ["dark", "America/New_York", false]);
  await keys.blur();
  await page.keyboard.press("c");
  await eventually(() => page.getByRole("dialog").count(), 0);
  await page.leave();
});

test("a token is created, shown once, works, and is revoked", async () => {
  const account = await openAccount("tom");
  const page = await account.open("tokens", "dark");
  await page.getByText("No tokens yet.").waitFor();
  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Deploy script");
  await page.checkAccessibility();
  await page.keyboard.press("Enter");
  await dialog.getByText("Copy the token now").waitFor();
  const token = await dialog.getByRole("textbox", { name: "Token" }).inputValue();
  await page.keyboard.press("Escape");
  await page.mouse.click(8, 8);
  await dialog.getByText("Copy the token now").waitFor();
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Done" }).click();
  const uses = async () => (await site.t.http.as(token).get("/api/profile")).status;
  await eventually(() => uses(), 200);
  await page.getByRole("button", { name: "Revoke Deploy script" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke token" }).click();
  await page.getByText("No tokens yet.").waitFor();
  await eventually(() => uses(), 401);
  await page.leave();
});

test("a token is limited to areas and projects, which the list shows", async () => {
  const account = await openAccount("lisa");
  const page = await account.open("tokens");
  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog", { name: "New personal token" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Coding agent");
  await dialog.getByRole("radio", { name: "Limited" }).check();
  await dialog.getByRole("button", { name: "Create token" }).click();
  await dialog.getByText("Choose at least one area.").waitFor();
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Errors No access" }).click();
  await page.getByRole("option", { name: "Read & write" }).click();
  await dialog.getByRole("button", { name: "Projects Choose projects" }).click();
  await page.getByRole("option", { name: /Web shop/ }).click();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Create token" }).click();
  await page.getByText("Copy the token now").waitFor();
  const token = await page.getByRole("textbox", { name: "Token" }).inputValue();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("Errors: read & write · in Web shop").waitFor();
  await page.checkAccessibility();
  const client = site.t.http.as(token);
  assert.equal((await client.get(`/api/projects/${site.project.id}/error-groups`)).status, 200);
  assert.equal((await client.get(`/api/projects/${site.project.id}/issues`)).status, 403);
  await page.leave();
});

test("other sessions are ended one by one and all at once", async () => {
  const account = await openAccount("sam");
  const others = await Promise.all([1, 2, 3].map(() => makeCookie(site.t.db, account.user.id)));
  const page = await account.open("sessions", "dark");
  const ends = page.getByRole("button", { name: /^End session/ });
  await ends.first().waitFor();
  const before = await ends.count();
  await ends.first().click();
  await eventually(() => ends.count(), before - 1);
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await page.getByRole("alertdialog").waitFor();
  await page.checkAccessibility();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  await eventually(() => ends.count(), 0);
  for (const cookie of others)
    await eventually(async () => (await site.t.http.withCookie(cookie).get("/api/profile")).status, 401);
  await page.reload();
  await page.getByText("This browser").waitFor();
  await page.leave();
});

/** Creates a member of the project with a second factor. */
async function makeUserWithSecondFactor() {
  const { user, activate } = await openSecondFactor(site.t);
  await makeMember(site.t.db, site.project.id, { user, role: "Manager" });
  return { user, ...(await activate()) };
}

const listedCodes = (page: TestPage) =>
  page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");

/** Replaces the recovery codes with the help of one of them; the page shows the new ones. */
async function replaceCodes(page: TestPage, code: string) {
  await page.getByRole("button", { name: "New recovery codes" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Code" }).fill(code);
  await page.keyboard.press("Enter");
  await listedCodes(page).first().waitFor();
}

test("a second factor is turned on once a code of its secret is entered", async () => {
  const account = await openAccount("una");
  const page = await account.open("security");
  await page.getByRole("button", { name: "Set up" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Current password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await dialog.getByRole("img", { name: "QR code of the secret" }).waitFor();
  await page.checkAccessibility();
  const secret = (await dialog.getByRole("group", { name: "Secret" }).innerText()).replaceAll(/\s/g, "");
  await dialog.getByRole("textbox", { name: "Code" }).fill("000000x");
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await dialog.getByText("Is wrong or already used.").waitFor();
  await dialog.getByRole("textbox", { name: "Code" }).fill(codeOf(secret));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await listedCodes(page).first().waitFor();
  await page.checkAccessibility();
  await page.getByRole("button", { name: "I have saved them" }).click();
  await page.getByText(/recovery codes left/).waitFor();
  await page.leave();
});

test("recovery codes can be downloaded and stay open until the user has saved them", async () => {
  const { user, recovery_codes } = await makeUserWithSecondFactor();
  const page = await site.open("/settings/profile?section=security", { as: user });
  await replaceCodes(page, recovery_codes[0] ?? "");
  await page.keyboard.press("Escape");
  await page.mouse.click(8, 8);
  const [, second = ""] = await listedCodes(page).allInnerTexts();
  assert.notEqual(second, "");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  assert.equal((await download).suggestedFilename(), "signalbox-recovery-codes.txt");
  await page.getByRole("button", { name: "I have saved them" }).click();
  await page.getByText(/recovery codes left/).waitFor();
  await page.leave();
});

test("signing in requires the code of a second factor", async () => {
  const { user, secret } = await makeUserWithSecondFactor();
  const page = await site.open("/sign-in", { as: null });
  await page.getByRole("textbox", { name: "Email" }).fill(user.email);
  await page.getByLabel("Password").fill(USER_PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Code" }).fill(codeOf(secret));
  await page.keyboard.press("Enter");
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.leave();
});

test("a second factor is turned off with a recovery code, but not with a replaced one", async () => {
  const { user, recovery_codes } = await makeUserWithSecondFactor();
  const [first = "", second = ""] = recovery_codes;
  const page = await site.open("/settings/profile?section=security", { as: user });
  const dialog = page.getByRole("dialog");
  await replaceCodes(page, first);
  const [fresh = ""] = await listedCodes(page).allInnerTexts();
  await page.getByRole("button", { name: "I have saved them" }).click();
  await page.getByRole("button", { name: "Turn off" }).click();
  await dialog.getByRole("textbox", { name: "Code" }).fill(second);
  await page.keyboard.press("Enter");
  await dialog.getByText("Is wrong or already used.").waitFor();
  await dialog.getByRole("textbox", { name: "Code" }).fill(fresh);
  await page.keyboard.press("Enter");
  await page.getByText("Second factor turned off").waitFor();
  await page.getByRole("button", { name: "Set up" }).waitFor();
  await page.leave();
});

test("a new password ends other sessions and keeps this one", async () => {
  const account = await openAccount("paul");
  const page = await account.open("security", "dark");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password").fill("another horse battery");
  await page.checkAccessibility();
  await page.keyboard.press("Enter");
  await page.getByText("Password changed").waitFor();
  await eventually(async () => (await account.client.get("/api/profile")).status, 401);
  await page.reload();
  await page.getByRole("button", { name: "Change password" }).waitFor();
  await page.leave();
});

test("an account without a password sets its first one without being asked for another, and is asked from then on", async () => {
  const user = await makeMember(site.t.db, site.project.id, { role: "Manager" });
  const page = await site.open("/settings/profile?section=security", { as: user });
  // As after signing in again with the identity provider.
  await sql`update sessions set provider_authenticated_at = clock_timestamp() where user_id = ${user.id}`.execute(
    site.t.db,
  );
  await page.getByLabel("New password").fill(PASSWORD);
  await eventually(() => page.getByLabel("Current password").count(), 0);
  await page.keyboard.press("Enter");
  await page.getByText("Password changed").waitFor();
  await page.getByLabel("Current password").waitFor();
  await page.leave();
});

/** Opens the security section with a new password entered. `readTokens` leaves it while the password is being changed. */
async function openWithNewPassword(login: string) {
  const page = await (await openAccount(login)).open("security");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password").fill("another horse battery");
  const readTokens = async () => {
    // Until then, leaving the page asks whether to discard the password.
    await page.locator("button[aria-busy=true]", { hasText: "Change password" }).waitFor();
    await page.getByRole("link", { name: "Tokens" }).click();
  };
  return { page, readTokens };
}

const REFUSED = { status: 401, json: { message: "Sign in." } };

test("a request that is refused while a password is changed does not sign the page out", async () => {
  const { page, readTokens } = await openWithNewPassword("rosa");
  await page.route("**/api/profile/tokens*", (route) => route.fulfill(REFUSED), { times: 1 });
  await page.route("**/api/profile/password", async (route) => {
    const answered = page.waitForResponse("**/api/profile/tokens*");
    await readTokens();
    await answered;
    await route.continue();
  });
  await page.keyboard.press("Enter");
  await page.getByText("Password changed").waitFor();
  await page.getByRole("button", { name: "New token" }).waitFor();
  await page.leave();
});

test("a request that started before a password was changed and is refused afterwards does not sign the page out", async () => {
  const { page, readTokens } = await openWithNewPassword("sara");
  const changed = page.waitForResponse("**/api/profile/password");
  const requested = page.waitForRequest("**/api/profile/tokens*");
  let isChanged = false;
  void changed.then(() => (isChanged = true));
  await page.route("**/api/profile/tokens*", async (route) => {
    if (isChanged) return route.continue();
    await (await changed).finished();
    await route.fulfill(REFUSED);
  });
  await page.route("**/api/profile/password", async (route) => {
    await readTokens();
    await requested;
    await route.continue();
  });
  await page.keyboard.press("Enter");
  await page.getByText("Password changed").waitFor();
  await page.getByRole("button", { name: "New token" }).waitFor();
  await page.leave();
});
