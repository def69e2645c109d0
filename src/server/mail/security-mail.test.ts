import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Secret, TOTP } from "otpauth";
import { cookieOf, type Answer, type Client } from "../../../test/support/client.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProject,
  makeWorkspace,
} from "../../../test/support/make.ts";
import { makePerson, PASSWORD, type Person } from "../../../test/support/person.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { queuePasswordResets } from "../account/password/queue-password-resets.ts";
import { takeDueMail } from "./outbox.ts";

/** Which changes of an account are emailed to its user. */

let person: Person;
let browser: Client;
const t = await useTestApp();
beforeEach(async () => {
  person = await makePerson(t);
  browser = await person.signIn();
  await t.db.deleteFrom("mails").execute();
});

/** Takes the queued emails: each recipient and subject. */
async function taken(): Promise<[string, string][]> {
  const mails: [string, string][] = [];
  for (let mail = await takeDueMail(t.db); mail; mail = await takeDueMail(t.db))
    mails.push([mail.to, mail.subject]);
  return mails;
}

const signIn = (cookies = "") =>
  t.http.send({
    method: "POST",
    url: "/api/session",
    headers: { "content-type": "application/json", cookie: cookies },
    payload: JSON.stringify({ email: person.email, password: PASSWORD }),
  });

/** All cookies that a response sets, as a browser sends them. */
const cookiesOf = (answer: Answer) =>
  [answer.headers["set-cookie"] ?? []]
    .flat()
    .map((one) => one.split(";", 1)[0])
    .join("; ");

test("a sign-in with another browser is emailed, with a known browser or the first one it is not", async () => {
  const answer = await signIn();
  assert.match(
    String(answer.headers["set-cookie"]),
    /signalbox-device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax/,
  );
  assert.deepEqual(await taken(), [[person.email, "New sign-in to your account"]]);
  await t.http.withCookie(cookieOf(answer)).delete("/api/session");
  assert.equal((await signIn(cookiesOf(answer))).status, 200);
  assert.deepEqual(await taken(), []);
  assert.equal((await signIn("signalbox-device=x")).status, 200);
  assert.equal((await taken()).length, 1);
  const other = await makePerson(t);
  await other.signIn();
  assert.deepEqual(await taken(), []);
});

test("new tokens are emailed to their user, without the token", async () => {
  const project = await makeProject(t.db, (await makeWorkspace(t.db)).id);
  await makeMember(t.db, project.id, { user: person, is_owner: true });
  const made = [
    await browser.post("/api/profile/tokens", { name: "laptop" }),
    await browser.post(`/api/projects/${project.id}/tokens`, { name: "shop", access: "read" }),
  ];
  const stored = JSON.stringify(await t.db.selectFrom("mails").selectAll().execute());
  for (const { body } of made) {
    assert.ok(!stored.includes(body.token));
    assert.ok(stored.includes(`ending in ${body.last_four}`));
  }
  assert.deepEqual(await taken(), [
    [person.email, "A personal token was created"],
    [person.email, "A project token was created"],
  ]);
});

test("changes of the password and of the second factor are emailed", async () => {
  const change = { current_password: PASSWORD, password: "battery staple" };
  const changed = await browser.post("/api/profile/password", change);
  browser = t.http.withCookie(cookieOf(changed));
  const path = "/api/profile/second-factor";
  const { secret } = (await browser.post(path, { current_password: "battery staple" })).body;
  const code = (steps: number) =>
    TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });
  const [recovery] = (await browser.post(`${path}/confirm`, { code: code(-1) })).body.recovery_codes;
  const renewed = await browser.post(`${path}/recovery-codes`, { code: recovery });
  const [last] = renewed.body.recovery_codes;
  const headers = { "content-type": "application/json" };
  const removed = { method: "DELETE", url: path, headers, payload: JSON.stringify({ code: last }) };
  assert.equal((await browser.send(removed)).status, 204);
  assert.deepEqual(await taken(), [
    [person.email, "Your password was changed"],
    [person.email, "Your second factor was turned on"],
    [person.email, "Your recovery codes were replaced"],
    [person.email, "Your second factor was removed"],
  ]);
  await t.http.post("/api/password/forgot", { email: person.email });
  await queuePasswordResets(t.db);
  const token = (await takeDueMail(t.db))?.button.path.split("token=")[1];
  assert.equal((await t.http.post("/api/password/reset", { token, password: PASSWORD })).status, 204);
  assert.deepEqual(await taken(), [[person.email, "Your password was changed"]]);
});

test("a changed address is emailed to the old address, and no preference turns such emails off", async () => {
  const off = { email_notifications_enabled: false };
  assert.equal((await browser.post("/api/profile/notification-preferences", off)).status, 200);
  const email = `next-${person.email}`;
  const moved = await browser.patch("/api/profile", { email, current_password: PASSWORD });
  assert.equal(moved.status, 200);
  const [mail] = await t.db.selectFrom("mails").selectAll().execute();
  assert.match(mail?.lines.join(" ") ?? "", /changed to next-.* account .* from the address 127\.0\.0\.1/);
  assert.deepEqual(await taken(), [[person.email, "Your email address was changed"]]);
});

test("no administrator sees the emails", async () => {
  const workspace = await makeWorkspace(t.db);
  const project = await makeProject(t.db, workspace.id);
  await makeMember(t.db, project.id, { user: person });
  await browser.post("/api/profile/tokens", { name: "laptop" });
  const admins = [
    t.http.withCookie(await makeCookie(t.db, workspace.admin.id)),
    t.http.as(await makePersonalToken(t.db, workspace.admin.id)),
  ];
  for (const admin of admins)
    assert.deepEqual((await admin.get(`/api/workspaces/${workspace.id}/mails`)).body.data, []);
});
