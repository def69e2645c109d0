import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { takeDueMail } from "../../src/server/mail/outbox.ts";
import { cookieOf } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { makePerson, PASSWORD, type Person } from "../support/person.ts";
import { codeOf, PATH } from "../support/second-factor.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite({
  SMTP_URL: "smtp://127.0.0.1:2525",
  MAIL_FROM: "signalbox@track.example.com",
});

let ada: Person;
let count = 0;
let email: string;
beforeEach(async () => {
  await site.t.db.deleteFrom("mails").execute();
  ada = await makePerson(site.t);
  email = `new${++count}@corp.example`;
});

const isAt = (path: string) => (url: URL) => url.pathname === path;

async function addressOf(person: Person): Promise<unknown[]> {
  const columns = ["email", "email_verified"] as const;
  const user = await site.t.db
    .selectFrom("users")
    .select(columns)
    .where("id", "=", person.id)
    .executeTakeFirstOrThrow();
  return columns.map((column) => user[column]);
}

/** The path of the link that was sent to the address last. */
async function mailedLink(to: string): Promise<string> {
  let path = "";
  for (let mail = await takeDueMail(site.t.db); mail; mail = await takeDueMail(site.t.db))
    if (mail.to === to) path = mail.button.path;
  assert.match(path, /^\/confirm-address\?token=/);
  return path;
}

test("a changed address is pending on the profile page until its link is opened and the button pressed", async () => {
  const page = await site.open("/settings/profile", { as: ada });
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page
    .getByText(`Open the link that was sent to ${email}. Until then, your address is ${ada.email}.`)
    .waitFor();
  await page.checkAccessibility();
  await mailedLink(email);
  await page.getByRole("button", { name: "Send again" }).press("Enter");
  await page.getByText(`Link sent to ${email}`).waitFor();
  await page.leave();
  const confirming = await site.open(await mailedLink(email), { as: ada });
  const button = confirming.getByRole("button", { name: "Confirm address" });
  await button.waitFor();
  await confirming.checkAccessibility();
  await eventually(() => addressOf(ada), [ada.email, true]);
  await button.press("Enter");
  await confirming.getByRole("heading", { name: "Your address is confirmed" }).waitFor();
  await eventually(() => addressOf(ada), [email, true]);
  await confirming.leave();
});

test("canceling a change of the address keeps the current one, and the link cannot be used", async () => {
  const browser = await ada.signIn();
  await browser.patch("/api/profile", { email, current_password: PASSWORD });
  const page = await site.open("/settings/profile", { as: ada });
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText(`Your address is still ${ada.email}`).waitFor();
  await eventually(() => page.getByText("Confirm your address").count(), 0);
  await page.leave();
  const confirming = await site.open(await mailedLink(email), { as: ada });
  await confirming.getByRole("button", { name: "Confirm address" }).click();
  await confirming.getByRole("heading", { name: "This link cannot be used" }).waitFor();
  await confirming.checkAccessibility();
  await confirming.leave();
});

test("a link that is opened signed out leads through sign-in, with the second factor, and back", async () => {
  const browser = await ada.signIn();
  const { secret } = (await browser.post(PATH, { current_password: PASSWORD })).body;
  assert.equal((await browser.post(`${PATH}/confirm`, { code: codeOf(secret) })).status, 200);
  await site.t.db.updateTable("second_factors").set({ last_step: 0 }).where("user_id", "=", ada.id).execute();
  await browser.patch("/api/profile", { email, current_password: PASSWORD });
  const page = await site.open(await mailedLink(email), { as: null });
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Email").fill(ada.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByLabel("Code").fill(codeOf(secret));
  await page.keyboard.press("Enter");
  await page.waitForURL(isAt("/confirm-address"));
  await page.getByRole("button", { name: "Confirm address" }).click();
  await page.getByRole("heading", { name: "Your address is confirmed" }).waitFor();
  await eventually(() => addressOf(ada), [email, true]);
  await page.leave();
});

test("an account made with a copied invitation link is asked to confirm its address in the profile", async () => {
  const invitation = await site.api.post(`/api/workspaces/${site.workspaceId}/invitations`, { email });
  const person = { first_name: "Bo", last_name: "Ost", username: `bo${count}`, password: PASSWORD };
  const joined = await site.t.http.post(`/api${new URL(invitation.body.link).pathname}`, person);
  assert.ok(cookieOf(joined));
  const bo = { ...ada, id: joined.body.id as number, email };
  const page = await site.open("/settings/profile", { as: bo });
  await page.getByText(`Open the link that was sent to ${email}.`).waitFor();
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText(`Link sent to ${email}`).waitFor();
  await page.leave();
});
