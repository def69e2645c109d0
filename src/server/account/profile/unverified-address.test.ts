import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { sql } from "kysely";
import { cookieOf, type Client } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import { startIdentityProvider } from "../../../../test/support/identity-provider.ts";
import { makeCookie, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { makePerson, PASSWORD, type Person } from "../../../../test/support/person.ts";
import { cookieHeader } from "../../../../test/support/trusted-provider.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { keepMails, takeDueMail } from "../../mail/outbox.ts";
import { queuePasswordResets } from "../password/queue-password-resets.ts";

/** Mallory enters the boss's address in her own profile and waits for the boss to use it. */

let mallory: Person;
let browser: Client;
let token: string;
let boss: string;
let workspace: { id: number; admin: { id: number } };
let count = 0;
const provider = await startIdentityProvider();
const t = await useTestApp({ ...provider.settings, OIDC_TRUST_EMAIL: "true" });
after(() => provider.stop());
beforeEach(async () => {
  await t.db.deleteFrom("password_requests").execute();
  workspace = await makeWorkspace(t.db);
  mallory = await makePerson(t);
  browser = await mallory.signIn();
  token = await makePersonalToken(t.db, mallory.id);
  boss = `boss${++count}@corp.example`;
  await t.db
    .insertInto("identities")
    .values({ user_id: mallory.id, issuer: provider.issuer, subject: `mallory-${count}` })
    .execute();
  await t.db
    .insertInto("second_factors")
    .values({ user_id: mallory.id, secret: "AAAAAAAA", confirmed_at: new Date().toISOString() })
    .execute();
});

const moveTo = async (email: string) => {
  const answer = await browser.patch("/api/profile", { email, current_password: PASSWORD });
  assert.equal(answer.status, 200);
};

async function isVerified(): Promise<boolean> {
  const { email_verified } = await t.db
    .selectFrom("users")
    .select("email_verified")
    .where("id", "=", mallory.id)
    .executeTakeFirstOrThrow();
  return email_verified;
}

/** Personal tokens, identities and second factors of the account. */
async function waysIn(): Promise<number[]> {
  const counts = [];
  for (const table of ["personal_tokens", "identities", "second_factors"] as const) {
    const rows = await t.db.selectFrom(table).select("user_id").where("user_id", "=", mallory.id).execute();
    counts.push(rows.length);
  }
  return counts;
}

/** Creates an invitation; returns the API's paths of the link that the inviter sees and of the link in the email. */
async function invite(email: string): Promise<{ seen: string; mailed: string }> {
  const admin = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  const body = { email, is_admin: true };
  await t.db.deleteFrom("mails").execute();
  const made = await admin.post(`/api/workspaces/${workspace.id}/invitations`, body);
  assert.equal(made.status, 201);
  const mail = await takeDueMail(t.db);
  assert.deepEqual([mail?.to, mail?.subject.startsWith("Invitation to")], [email, true]);
  return { seen: `/api${new URL(made.body.link).pathname}`, mailed: `/api${mail?.button.path}` };
}

async function signInByProvider(who: string, email: string) {
  provider.people.set(who, { email, email_verified: true });
  const started = await t.http.get("/api/oidc/start");
  const url = await provider.signIn(String(started.headers["location"]), who);
  return t.http.send({ method: "GET", url, headers: { cookie: cookieOf(started) } });
}

async function resetByMail(email: string, password: string) {
  await t.http.post("/api/password/forgot", { email });
  await queuePasswordResets(t.db);
  const mail = await t.db
    .selectFrom("mails")
    .select("button_path")
    .where("user_id", "=", mallory.id)
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  const answer = await t.http.post("/api/password/reset", {
    token: mail.button_path?.split("token=")[1],
    password,
  });
  assert.equal(answer.status, 204);
}

test("an unverified address is linked to no identity", async () => {
  await moveTo(boss);
  const answer = await signInByProvider(`boss-${count}`, boss);
  assert.equal(answer.headers["location"], "/sign-in?error=unknown_identity");
  const rows = await t.db
    .selectFrom("identities")
    .select("id")
    .where("subject", "=", `boss-${count}`)
    .execute();
  assert.deepEqual(rows, []);
});

test("the identity of an invited person takes an unverified address, with a new account", async () => {
  await moveTo(boss);
  await invite(boss);
  const answer = await signInByProvider(`boss-${count}`, boss);
  assert.equal(answer.headers["location"], "/");
  const profile = (await t.http.withCookie(cookieHeader(answer)).get("/api/profile")).body;
  assert.deepEqual([profile.email, profile.id === mallory.id], [boss, false]);
  assert.match((await browser.get("/api/profile")).body.email, /@unconfirmed\.invalid$/);
});

test("an address stays verified when only its case changes, and becomes unverified when it changes and comes back", async () => {
  await moveTo(mallory.email.toUpperCase());
  assert.equal(await isVerified(), true);
  // The Kelvin sign is a K in lower case.
  await moveTo(mallory.email.replace("example", "e\u212aample"));
  assert.equal(await isVerified(), false);
  await moveTo(mallory.email);
  assert.equal(await isVerified(), false);
});

test("a password reset verifies the address and revokes every other way to sign in", async () => {
  await t.db.deleteFrom("second_factors").where("user_id", "=", mallory.id).execute();
  await moveTo(boss);
  await resetByMail(boss, "battery staple");
  assert.equal(await isVerified(), true);
  assert.deepEqual(await waysIn(), [0, 0, 0]);
  assert.equal((await t.http.as(token).get("/api/profile")).status, 401);
  assert.equal((await browser.get("/api/profile")).status, 401);
  assert.equal(
    (await signInByProvider(`mallory-${count}`, "mallory@example.com")).headers["location"],
    "/sign-in?error=unknown_identity",
  );
  const signedIn = await t.http.post("/api/session", { email: boss, password: "battery staple" });
  assert.equal(signedIn.status, 200);
  const { mailed } = await invite(boss);
  const joined = await t.http.withCookie(cookieOf(signedIn)).post(mailed);
  assert.deepEqual([joined.status, joined.body.is_admin], [200, true]);
});

test("a password reset keeps the second factor and leaves the address unverified", async () => {
  await moveTo(boss);
  await resetByMail(boss, "battery staple");
  assert.equal(await isVerified(), false);
  assert.deepEqual(await waysIn(), [0, 1, 1]);
  const answer = await t.http.post("/api/session", { email: boss, password: "battery staple" });
  assert.deepEqual([answer.status, answer.body.second_factor_required], [401, true]);
});

test("a password reset keeps other ways to sign in if the address was verified", async () => {
  const { id } = mallory;
  await sql`update users set password_set_at = clock_timestamp() where id = ${id}`.execute(t.db);
  await resetByMail(mallory.email, "battery staple");
  assert.deepEqual(await waysIn(), [1, 1, 1]);
  assert.equal((await t.http.as(token).get("/api/profile")).status, 200);
});

test("accepting a mailed invitation verifies the address and revokes every way to sign in except this session", async () => {
  await moveTo(boss);
  const other = t.http.withCookie(cookieOf(await signInAgain()));
  const joined = await browser.post((await invite(boss)).mailed);
  assert.equal(joined.status, 200);
  assert.equal(await isVerified(), true);
  assert.deepEqual(await waysIn(), [0, 0, 0]);
  assert.equal((await browser.get("/api/profile")).status, 200);
  assert.equal((await other.get("/api/profile")).status, 401);
  assert.equal((await t.http.post("/api/session", { email: boss, password: PASSWORD })).status, 401);
  const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  const { data } = (await admin.get(`/api/workspaces/${workspace.id}/audit-events?actor_id=${mallory.id}`))
    .body;
  assert.deepEqual(data.map((event: { kind: string }) => event.kind).sort(), [
    "identity.unlinked",
    "invitation.accepted",
    "password.removed",
    "second_factor.disabled",
    "session.ended",
    "token.revoked",
  ]);
});

test("after a mailed invitation removed the password, the reader of the address receives a link to set a new one", async () => {
  await moveTo(boss);
  assert.equal((await browser.post((await invite(boss)).mailed)).status, 200);
  const change = { current_password: PASSWORD, password: "mallory's next password" };
  assert.equal((await browser.post("/api/profile/password", change)).status, 422);
  await t.db.deleteFrom("mails").execute();
  await queuePasswordResets(t.db);
  const mail = await takeDueMail(t.db);
  assert.equal(mail?.to, boss);
  const reset = { token: mail?.button.path.split("token=")[1], password: "battery staple" };
  assert.equal((await t.http.post("/api/password/reset", reset)).status, 204);
  const signedIn = await t.http.post("/api/session", { email: boss, password: "battery staple" });
  assert.equal(signedIn.status, 200);
});

test("accepting a mailed invitation revokes nothing if the address is verified, nor the only way to sign in without a password", async () => {
  assert.equal((await browser.post((await invite(mallory.email)).mailed)).status, 200);
  assert.deepEqual(await waysIn(), [1, 1, 1]);
  await t.db.updateTable("users").set({ password_hash: null }).where("id", "=", mallory.id).execute();
  // As after signing in again with the identity provider.
  await sql`update sessions set provider_authenticated_at = clock_timestamp() where user_id = ${mallory.id}`.execute(
    t.db,
  );
  await moveTo(boss);
  assert.equal((await browser.post((await invite(boss)).mailed)).status, 200);
  assert.deepEqual(await waysIn(), [0, 1, 0]);
});

test("a link that the inviter sees joins without verifying the address of the account", async () => {
  await moveTo(boss);
  assert.equal((await browser.post((await invite(boss)).seen)).status, 200);
  assert.equal(await isVerified(), false);
  assert.deepEqual(await waysIn(), [1, 1, 1]);
  const answer = await signInByProvider(`boss-${count}`, boss);
  assert.equal(answer.headers["location"], "/sign-in?error=unknown_identity");
});

test("an account registered with the link that the inviter sees is unverified, with the mailed link verified", async () => {
  const register = async (email: string, which: "seen" | "mailed") => {
    const link = (await invite(email))[which];
    const username = email.replace(/@.*/, which);
    const person = { first_name: "Bo", last_name: "Ost", username, password: "mallory's password" };
    assert.equal((await t.http.post(link, person)).status, 201);
    const answer = await signInByProvider(`${which}-${count}`, email);
    return answer.headers["location"];
  };
  assert.equal(await register(boss, "seen"), "/sign-in?error=unknown_identity");
  assert.equal(await register(`real-${boss}`, "mailed"), "/");
});

test("a link with another invitation's proof is unknown", async () => {
  const first = await invite(boss);
  const second = await invite(`other-${boss}`);
  const proof = second.mailed.split(".").at(-1);
  for (const link of [
    `${first.seen}.${proof}`,
    `${first.seen}.`,
    `${first.seen}.x`,
    `${first.mailed}.${proof}`,
  ])
    assert.equal((await browser.get(link)).status, 404, link);
});

test("no administrator can read the proof in a mailed link", async () => {
  const { mailed } = await invite(boss);
  const proof = mailed.split(".").at(-1) as string;
  assert.equal(proof.length, 43);
  const admin = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  const list = () => admin.get(`/api/workspaces/${workspace.id}/mails`);
  assert.ok(!(await list()).text.includes(proof));
  await keepMails(t.db);
  const kept = await list();
  assert.ok(!kept.text.includes(proof));
  assert.match(kept.body.data[0].link, /\/invitations\/[\w-]{43}$/);
  assert.ok(!JSON.stringify(await t.db.selectFrom("mails").selectAll().execute()).includes(proof));
});

test("a reset link that was mailed to the previous address cannot verify the next one, even if the requests race", async () => {
  await t.db.deleteFrom("mails").execute();
  await t.http.post("/api/password/forgot", { email: mallory.email });
  const move = { email: boss, current_password: PASSWORD };
  const lock = `select from users where id = ${mallory.id} for update`;
  await collide<unknown>(t.database, lock, async (waiting) => {
    const moved = browser.patch("/api/profile", move);
    await waiting(1);
    const queued = queuePasswordResets(t.db);
    await waiting(2);
    return [moved, queued];
  });
  const subject = (await takeDueMail(t.db))?.subject;
  assert.deepEqual([subject, await takeDueMail(t.db)], ["Your email address was changed", undefined]);
  const resets = await t.db
    .selectFrom("password_resets")
    .select("user_id")
    .where("user_id", "=", mallory.id)
    .execute();
  assert.deepEqual(resets, []);
});

/** Opens another session with the second factor. */
async function signInAgain() {
  await t.db.deleteFrom("second_factors").where("user_id", "=", mallory.id).execute();
  const answer = await t.http.post("/api/session", { email: boss, password: PASSWORD });
  await t.db
    .insertInto("second_factors")
    .values({ user_id: mallory.id, secret: "AAAAAAAA", confirmed_at: new Date().toISOString() })
    .execute();
  return answer;
}
