import assert from "node:assert/strict";
import { test } from "node:test";
import { connectApp, exchange, makeApp, requestOf } from "../support/apps.ts";
import { eventually } from "../support/eventually.ts";
import { makeMember } from "../support/make.ts";
import { makePerson, PASSWORD } from "../support/person.ts";
import { openReceiver } from "../support/webhook-receiver.ts";
import { takeOption } from "./pick-option.ts";
import { PHONE, useTestSite } from "./test-site.ts";

const site = await useTestSite();

/** The address of the consent page for an app on this computer. */
const pathOf = (request: Record<string, string | undefined>) =>
  `/oauth/authorize?${new URLSearchParams(request as Record<string, string>)}`;

test("a person signs in, allows an app some areas of a project, and disconnects it in the profile", async (context) => {
  const callback = await openReceiver(context, (response) => response.end("Connected"));
  const redirect_uri = `${callback.url}/callback`;
  const app = await makeApp(site.t.db, ["http://127.0.0.1/callback"]);
  const person = await makePerson(site.t);
  await makeMember(site.t.db, site.project.id, { user: person });

  const page = await site.open(pathOf(requestOf(app, { redirect_uri, scope: "issues:write" })), { as: null });
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();

  await page.getByRole("heading", { name: "Connect Example agent?" }).waitFor();
  await page.getByText(new URL(redirect_uri).host).waitFor();
  await page.getByText("(a program on this computer)").waitFor();
  await page.checkAccessibility();
  await page.getByRole("button", { name: "Issues Read & write" }).waitFor();
  await page.getByRole("button", { name: "Errors No access" }).click();
  await page.getByRole("option", { name: "Read", exact: true }).click();
  await page.getByRole("button", { name: "Allow access" }).click();
  await page.getByText("Connected").waitFor();

  const answer = new URL(callback.received[0]?.url ?? "", callback.url).searchParams;
  assert.deepEqual([answer.get("state"), answer.get("iss")], ["the state", site.url]);
  const { status, body } = await exchange(site.t.http, app, answer.get("code") ?? "", { redirect_uri });
  assert.deepEqual([status, body.scope], [200, "issues:write errors:read"]);
  const uses = async () => (await site.t.http.as(body.access_token).get("/api/profile")).status;
  assert.equal(await uses(), 200);

  await page.goto(`${site.url}/settings/profile?section=tokens`);
  await page.getByText("Issues: read & write, Errors: read · in Web shop").waitFor();
  await page.checkAccessibility();
  await page.getByRole("button", { name: "Disconnect Example agent" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
  await page.getByText("No apps yet.").waitFor();
  await eventually(uses, 401);
  await page.leave();
});

test("an app is allowed with the keyboard alone, and without an area or project the page says what is missing", async (context) => {
  const callback = await openReceiver(context, (response) => response.end("Connected"));
  const redirect_uri = `${callback.url}/callback`;
  const app = await makeApp(site.t.db, [redirect_uri]);
  await site.api.post("/api/projects", { key: "SECOND", name: "Second" });
  const page = await site.open(pathOf(requestOf(app, { redirect_uri })));
  const allow = page.getByRole("button", { name: "Allow access" });
  await allow.waitFor();
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest("button, input, a")?.textContent ?? "");
  const press = async (key: string, name: RegExp) => {
    for (let n = 0; n < 12 && !name.test(await focused()); n++) await page.keyboard.press(key);
    assert.match(await focused(), name);
  };
  await press("Tab", /Allow access/);
  await page.keyboard.press("Enter");
  await page.getByText("Must have at least one project.").waitFor();
  await page.checkAccessibility();
  await press("Shift+Tab", /Choose projects/);
  await page.keyboard.press("Enter");
  await page.keyboard.type("Web");
  await takeOption(page, /Web shop/);
  await page.keyboard.press("Escape");
  await press("Tab", /Allow access/);
  await page.keyboard.press("Enter");
  await page.getByText("Connected").waitFor();
  assert.ok(new URL(callback.received[0]?.url ?? "", callback.url).searchParams.has("code"));
  await page.leave();
});

test("canceling on a phone tells the app, which gets no access", async (context) => {
  const callback = await openReceiver(context, (response) => response.end("Refused"));
  const redirect_uri = `${callback.url}/callback`;
  const app = await makeApp(site.t.db, [redirect_uri]);
  const page = await site.open(pathOf(requestOf(app, { redirect_uri })), PHONE);
  await page.getByRole("button", { name: "Cancel" }).tap();
  await page.getByText("Refused").waitFor();
  const answer = new URL(callback.received[0]?.url ?? "", callback.url).searchParams;
  assert.deepEqual([answer.get("error"), answer.get("code")], ["access_denied", null]);
  const { data } = (await site.api.get("/api/profile/tokens")).body;
  assert.ok(!data.some(({ client }: { client: { id: string } | null }) => client?.id === app));
  await page.leave();
});

test("a request that cannot be granted says why, and returns to the app only if its address is certain", async () => {
  const app = await makeApp(site.t.db);
  const page = await site.open(pathOf(requestOf(app, { code_challenge_method: "plain" })));
  await page.getByText("code_challenge_method must be S256").waitFor();
  const link = page.getByRole("link", { name: "Return to agent.example" });
  assert.match(
    (await link.getAttribute("href")) ?? "",
    /^https:\/\/agent\.example\/callback\?error=invalid_request/,
  );
  await page.goto(site.url + pathOf(requestOf(app, { redirect_uri: "https://evil.example/" })));
  await page.getByText("redirect_uri is not one of the client's addresses").waitFor();
  assert.equal(await page.getByRole("link").count(), 0);
  await page.checkAccessibility();
  await page.leave();
});

test("the list of connected apps changes when another page disconnects one", async () => {
  const member = await site.member("Member");
  const client = await site.clientOf(member);
  await connectApp(site.t, client, { project_ids: [site.project.id] });
  const page = await site.open("/settings/profile?section=tokens", { as: member });
  await page.getByRole("button", { name: "Disconnect Example agent" }).waitFor();
  const [grant] = (await client.get("/api/profile/tokens")).body.data;
  assert.equal((await client.delete(`/api/profile/tokens/${grant.id}`)).status, 204);
  await page.getByText("No apps yet.").waitFor();
  await page.leave();
});
