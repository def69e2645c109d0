import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { cookieOf, type Client } from "../../../../test/support/client.ts";
import { makeCookie, makeMember, makeProject, makeWorkspace } from "../../../../test/support/make.ts";
import { makePerson, PASSWORD, type Person } from "../../../../test/support/person.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { takeDueMail, type TakenMail } from "../../mail/outbox.ts";
import { queuePasswordResets } from "../password/queue-password-resets.ts";

/** With a mail server: addresses are confirmed by opening a link that only their reader gets. */

const t = await useTestApp({ SMTP_URL: "smtp://127.0.0.1:2525", MAIL_FROM: "signalbox@track.example.com" });

let ada: Person;
let browser: Client;
let count = 0;
let email: string;
beforeEach(async () => {
  await t.db.deleteFrom("mails").execute();
  await t.db.deleteFrom("password_requests").execute();
  ada = await makePerson(t);
  browser = await ada.signIn();
  email = `new${++count}@corp.example`;
});

const CONFIRMATION = "/api/profile/email-confirmation";
const move = (to: string, client = browser) =>
  client.patch("/api/profile", { email: to, current_password: PASSWORD });
const profile = async (client = browser) => {
  const { email, email_verified, pending_email } = (await client.get("/api/profile")).body;
  return [email, email_verified, pending_email];
};
const confirm = (token: string, client = browser) => client.post(`${CONFIRMATION}/confirm`, { token });

async function sentMails(): Promise<TakenMail[]> {
  const mails: TakenMail[] = [];
  for (let mail = await takeDueMail(t.db); mail; mail = await takeDueMail(t.db)) mails.push(mail);
  return mails;
}

const tokenIn = (mail: TakenMail | undefined) => mail?.button.path.split("token=")[1] ?? "";

/** The token of the link that was sent to the address. */
async function mailedToken(to: string): Promise<string> {
  const [mail, ...others] = await sentMails();
  assert.deepEqual([mail?.to, mail?.button.label, others], [to, "Confirm address", []]);
  return tokenIn(mail);
}

/** Makes the account's address unverified, as if it had been entered without a mail server. */
const unverify = ({ id }: { id: number }) =>
  t.db.updateTable("users").set({ email_verified: false }).where("id", "=", id).execute();

test("a changed address takes effect when its link is opened, and is pending until then", async () => {
  const answer = await move(email);
  assert.deepEqual([answer.status, answer.body.email, answer.body.pending_email], [200, ada.email, email]);
  assert.equal((await t.http.post("/api/session", { email, password: PASSWORD })).status, 401);
  const token = await mailedToken(email);
  assert.equal((await confirm(token)).status, 200);
  assert.deepEqual(await profile(), [email, true, null]);
  assert.equal((await t.http.post("/api/session", { email, password: PASSWORD })).status, 200);
  const notices = (await sentMails()).map(({ to, subject }) => [to, subject]);
  assert.deepEqual(notices[0], [ada.email, "Your email address was changed"]);
  assert.equal((await confirm(token)).status, 422);
});

test("a pending address receives the link and nothing else, without text that the account's user chose", async () => {
  await browser.patch("/api/profile", { username: `pay.at.evil.example${count}`, first_name: "Evil" });
  await move(email);
  await t.http.post("/api/password/forgot", { email });
  await queuePasswordResets(t.db);
  const [mail, ...others] = await sentMails();
  assert.deepEqual([mail?.to, others], [email, []]);
  assert.doesNotMatch(JSON.stringify(mail), /evil/i);
});

test("notifications and notices are not sent to an unverified address", async () => {
  const workspace = await makeWorkspace(t.db);
  const project = await makeProject(t.db, workspace.id);
  await makeMember(t.db, project.id, { user: ada });
  const mallory = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  await unverify(ada);
  const issue = (await mallory.post(`/api/projects/${project.id}/issues`, { title: "x" })).body;
  const comments = `/api/projects/${project.id}/issues/${issue.id}/comments`;
  for (let n = 0; n < 3; n++)
    await mallory.post(comments, { content: `@${ada.username} confirm it at https://evil.example/${n}` });
  await browser.post("/api/profile/tokens", { name: "laptop" });
  assert.deepEqual(await sentMails(), []);
  const kept = await t.db.selectFrom("mails").select(["state", "last_error"]).execute();
  assert.equal(kept.length, 4);
  for (const mail of kept)
    assert.deepEqual(mail, { state: "kept", last_error: "The recipient has not confirmed this address." });
  assert.equal((await browser.get("/api/notifications")).body.length, 3);
});

test("the response is the same if another account has the address, whose owner is emailed a notice", async () => {
  const owner = await makePerson(t);
  const [free, taken] = [await move(email), await move(owner.email.toUpperCase())];
  assert.deepEqual(
    [taken.status, taken.body],
    [free.status, { ...free.body, pending_email: owner.email.toUpperCase() }],
  );
  const [, notice, ...others] = await sentMails();
  assert.deepEqual(
    [notice?.to, notice?.subject, notice?.button.path, others],
    [owner.email, "Your email address was entered for another account", "/sign-in", []],
  );
});

test("an address receives at most 5 emails to confirm it within an hour, from all accounts, taken or not", async () => {
  const owner = await makePerson(t);
  const mallory = await (await makePerson(t)).signIn();
  for (const address of [email, owner.email]) {
    for (let n = 0; n < 4; n++) assert.equal((await move(address)).status, 200);
    assert.equal((await move(address.toUpperCase(), mallory)).status, 200);
    const refused = await mallory.post(CONFIRMATION);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers["retry-after"]) > 3_000);
  }
  assert.equal((await sentMails()).length, 10);
});

test("requests to confirm an address do not use up its invitations", async () => {
  for (let n = 0; n < 5; n++) await move(email);
  await sql`insert into mails (workspace_id, address, subject, lines, button_label, button_path, secret_link)
    select workspace_id, address, subject, lines, button_label, button_path, secret_link from mails, generate_series(1, 5)`.execute(
    t.db,
  );
  const workspace = await makeWorkspace(t.db);
  const admin = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  assert.equal((await admin.post(`/api/workspaces/${workspace.id}/invitations`, { email })).status, 201);
});

test("a link works in a session of its account only", async () => {
  const mallory = await (await makePerson(t)).signIn();
  await move(email, mallory);
  const token = await mailedToken(email);
  assert.equal((await confirm(token, t.http)).status, 401);
  assert.deepEqual((await confirm(token)).body.errors, {
    token: ["is no longer valid, or belongs to another account"],
  });
  assert.deepEqual(await profile(), [ada.email, true, null]);
});

test("only a hash of the link's token is stored", async () => {
  await move(email);
  const token = await mailedToken(email);
  assert.equal(token.length, 43);
  const rows = await t.db.selectFrom("address_confirmations").selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(token));
});

for (const [what, end] of [
  ["another change of the address", () => move(`x${email}`)],
  ["another link", () => browser.post(CONFIRMATION)],
  ["canceling the change", () => browser.delete(CONFIRMATION)],
  ["24 hours", () => sql`update address_confirmations set expires_at = clock_timestamp()`.execute(t.db)],
] as const)
  test(`a link no longer works after ${what}`, async () => {
    await move(email);
    const token = await mailedToken(email);
    await end();
    assert.equal((await confirm(token)).status, 422);
    assert.equal((await profile())[0], ada.email);
  });

test("changing or resetting the password cancels a pending change of the address", async () => {
  await move(email);
  const change = { current_password: PASSWORD, password: "battery staple" };
  const changed = await browser.post("/api/profile/password", change);
  browser = t.http.withCookie(cookieOf(changed));
  assert.deepEqual(await profile(), [ada.email, true, null]);
  await browser.patch("/api/profile", { email, current_password: change.password });
  await sentMails();
  await t.http.post("/api/password/forgot", { email: ada.email });
  await queuePasswordResets(t.db);
  const [reset] = await sentMails();
  await t.http.post("/api/password/reset", { token: tokenIn(reset), password: "next battery" });
  assert.deepEqual(await profile(await ada.signIn("next battery")), [ada.email, true, null]);
});

test("another link goes to the pending address, and to nobody if everything is confirmed", async () => {
  await move(email);
  await sentMails();
  assert.equal((await browser.post(CONFIRMATION)).status, 204);
  assert.equal((await confirm(await mailedToken(email))).status, 200);
  const answer = await browser.post(CONFIRMATION);
  assert.deepEqual([answer.status, answer.body.message], [422, "Your address is already confirmed."]);
});

test("an account made with the link that the inviter sees is emailed a link to confirm its address", async () => {
  const account = await register(email);
  assert.deepEqual(await profile(account), [email, false, null]);
  assert.equal((await confirm(await mailedToken(email), account)).status, 200);
  assert.deepEqual(await profile(account), [email, true, null]);
});

test("signing in with an unverified address emails a link to confirm it, unless one is still valid", async () => {
  await unverify(ada);
  const client = await ada.signIn();
  await ada.signIn();
  assert.equal((await confirm(await mailedToken(ada.email), client)).status, 200);
  await ada.signIn();
  assert.ok((await sentMails()).every(({ subject }) => !subject.startsWith("Confirm")));
});

test("confirming an address takes it from an account that has not verified it", async () => {
  const mallory = await makePerson(t);
  const malloryBrowser = await mallory.signIn();
  await t.db
    .updateTable("users")
    .set({ email, email_verified: false })
    .where("id", "=", mallory.id)
    .execute();
  await move(email);
  assert.equal((await confirm(await mailedToken(email))).status, 200);
  assert.deepEqual(await profile(), [email, true, null]);
  const [released, verified] = await profile(malloryBrowser);
  assert.match(released, /^[0-9a-f-]{36}@unconfirmed\.invalid$/);
  assert.equal(verified, false);
  assert.equal((await malloryBrowser.post(CONFIRMATION)).status, 422);
  const other = `mallory-${email}`;
  await move(other, malloryBrowser);
  const mail = (await sentMails()).find(({ to }) => to === other);
  assert.equal((await confirm(tokenIn(mail), malloryBrowser)).status, 200);
});

test("an address that another account has entered does not block a mailed invitation to its owner", async () => {
  const mallory = await makePerson(t);
  await t.db
    .updateTable("users")
    .set({ email, email_verified: false })
    .where("id", "=", mallory.id)
    .execute();
  const account = await register(email, "mailed");
  assert.deepEqual(await profile(account), [email, true, null]);
});

test("a password reset keeps the second factor, also if the address is unverified", async () => {
  await unverify(ada);
  const confirmed_at = new Date().toISOString();
  await t.db
    .insertInto("second_factors")
    .values({ user_id: ada.id, secret: "AAAAAAAA", confirmed_at })
    .execute();
  await t.http.post("/api/password/forgot", { email: ada.email });
  await queuePasswordResets(t.db);
  const reset = { token: tokenIn((await sentMails())[0]), password: "battery staple" };
  assert.equal((await t.http.post("/api/password/reset", reset)).status, 204);
  const answer = await t.http.post("/api/session", { email: ada.email, password: "battery staple" });
  assert.deepEqual([answer.status, answer.body.second_factor_required], [401, true]);
});

test("an account receives at most 5 links to reset its password within an hour", async () => {
  for (let n = 0; n < 7; n++) {
    await t.http.post("/api/password/forgot", { email: ada.email });
    await queuePasswordResets(t.db);
  }
  const mails = await sentMails();
  assert.equal(mails.length, 5);
  const reset = { token: tokenIn(mails[4]), password: "battery staple" };
  assert.equal((await t.http.post("/api/password/reset", reset)).status, 204);
});

/** Registers by an invitation to the address, with the link that the inviter sees or the one in the email. */
async function register(address: string, which: "seen" | "mailed" = "seen"): Promise<Client> {
  const workspace = await makeWorkspace(t.db);
  const admin = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  const made = await admin.post(`/api/workspaces/${workspace.id}/invitations`, { email: address });
  const mail = await takeDueMail(t.db);
  const path = which === "seen" ? new URL(made.body.link).pathname : mail?.button.path;
  const person = { first_name: "Bo", last_name: "Ost", username: `bo${count}`, password: PASSWORD };
  const answer = await t.http.post(`/api${path}`, person);
  assert.equal(answer.status, 201, answer.text);
  return t.http.withCookie(cookieOf(answer));
}
