import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWorkspace } from "../support/make.ts";
import { eventually } from "../support/eventually.ts";
import { chooseAction } from "./choose-action.ts";
import { makeNamedMember } from "./make-named-member.ts";
import { pickOption } from "./pick-option.ts";
import type { TestPage } from "./test-page.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const settings = (section: string, workspaceId = site.workspaceId) =>
  `/workspaces/${workspaceId}/settings?section=${section}`;

/** Invites someone to the project as a member; returns the path of the invitation's page. */
async function invite(email: string): Promise<string> {
  const { body: roles } = await site.api.get(`/api/workspaces/${site.workspaceId}/roles`);
  const member = (roles.data as { id: number; name: string }[]).find(({ name }) => name === "Member");
  const answer = await site.api.post(`/api/workspaces/${site.workspaceId}/invitations`, {
    email,
    projects: [{ project_id: site.project.id, role_id: member?.id }],
  });
  assert.equal(answer.status, 201, answer.text);
  return new URL(answer.body.link as string).pathname;
}

/** Opens an invitation in another browser, and fills in everything but the username. */
async function openInvitation(path: string, firstName: string): Promise<TestPage> {
  const page = await site.open(path, { as: null });
  await page.getByLabel("First name").fill(firstName);
  await page.getByLabel("Last name").fill("Hill");
  await page.getByLabel("Password").fill("correct horse battery");
  return page;
}

test("an invitation shows its link until Done is pressed, then only its address", async () => {
  await site.t.db.deleteFrom("invitations").execute();
  const page = await site.open(settings("invitations"));
  await page.getByText("No open invitations.").waitFor();
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Invite" });
  await dialog.getByLabel("Email").fill("grace@example.com");
  // The only project is chosen.
  await dialog.getByRole("button", { name: "Project 1: Web shop" }).waitFor();
  await pickOption(dialog, "Role in project 1", "Member");
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  const done = page.getByRole("dialog", { name: "grace@example.com is invited" });
  const link = await done.getByLabel("Link", { exact: true }).inputValue();
  assert.ok(link.startsWith(`${site.url}/invitations/`), link);
  await page.keyboard.press("Escape");
  await page.mouse.click(8, 8);
  await page.checkAccessibility();
  await done.getByRole("button", { name: "Done" }).click();
  await page.getByRole("list", { name: "Invitations" }).getByText("grace@example.com").waitFor();
  await eventually(() => page.getByText(link).count(), 0);
  await page.leave();
});

test("an invited person joins in another browser, and can comment on an issue at once", async () => {
  const { body: issue } = await site.api.post(`/api/projects/WEB/issues`, { title: "Checkout fails" });
  const page = await openInvitation(await invite("grace@example.com"), "Grace");
  await page.getByLabel("Username").fill("grace");
  await page.getByRole("button", { name: "Create account and join" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  const status = await page.evaluate(async (path) => {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ content: "It fails for me too." }),
    });
    return answer.status;
  }, `/api/projects/WEB/issues/${issue.key}/comments`);
  assert.equal(status, 201);
  const { body: comments } = await site.api.get(`/api/projects/WEB/issues/${issue.key}/comments`);
  assert.deepEqual(
    (comments.data as { content: string }[]).map(({ content }) => content),
    ["It fails for me too."],
  );
  await page.leave();
});

test("joining with a username that is taken focuses its field, where Enter sends another one", async () => {
  const page = await openInvitation(await invite("ivy@example.com"), "Ivy");
  await page.getByLabel("Username").fill(site.owner.username);
  await page.getByRole("button", { name: "Create account and join" }).click();
  await page.getByText("Is taken.").waitFor();
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute("name")), "username");
  await page.getByLabel("Username").fill("ivy");
  await page.keyboard.press("Enter");
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.leave();
});

test("someone who has joined is listed among the people, not among the invitations", async () => {
  await site.t.db.deleteFrom("invitations").execute();
  const person = {
    first_name: "Olga",
    last_name: "Hill",
    username: "olga",
    password: "correct horse battery",
  };
  const joined = await site.t.http.post(`/api${await invite("olga@example.com")}`, person);
  assert.ok(joined.status < 300, joined.text);
  const page = await site.open(settings("invitations"));
  await page.getByText("No open invitations.").waitFor();
  await page.getByRole("link", { name: "People" }).click();
  await page.getByRole("list", { name: "People" }).getByText("Olga Hill").waitFor();
  await page.leave();
});

test("an invitation is sent again with a new link and withdrawn; the old links no longer work", async () => {
  await site.t.db.deleteFrom("invitations").execute();
  const made = await site.api.post(`/api/workspaces/${site.workspaceId}/invitations`, {
    email: "late@example.com",
  });
  const old = new URL(made.body.link as string).pathname;
  const page = await site.open(settings("invitations"));
  await chooseAction(page, "late@example.com", "Send again");
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  await page.getByRole("button", { name: "Done" }).click();
  await eventually(async () => (await site.t.http.get(`/api${old}`)).status, 404);
  const fresh = new URL(link).pathname;
  await eventually(async () => (await site.t.http.get(`/api${fresh}`)).status, 200);
  await chooseAction(page, "late@example.com", "Withdraw");
  await page.getByRole("alertdialog").getByRole("button", { name: "Withdraw" }).click();
  await page.getByText("No open invitations.").waitFor();
  await eventually(async () => (await site.t.http.get(`/api${fresh}`)).status, 404);
  await page.leave();
});

test("a deactivated person has no access until activated again", async () => {
  const person = await makeNamedMember(site, "Otto", "Fields");
  const client = await site.clientOf(person);
  const path = `/api/workspaces/${site.workspaceId}`;
  await eventually(async () => (await client.get(path)).status, 200);
  const page = await site.open(settings("people"));
  await chooseAction(page, "Otto Fields", "Deactivate");
  await page.getByRole("alertdialog").getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("Deactivated", { exact: true }).waitFor();
  await eventually(async () => (await client.get(path)).status, 403);
  await chooseAction(page, "Otto Fields", "Activate");
  await page.getByText("Deactivated", { exact: true }).waitFor({ state: "hidden" });
  await eventually(async () => (await client.get(path)).status, 200);
  await page.leave();
});

test("the last administrator cannot be removed, and the dialog says why", async () => {
  const { id, admin } = await makeWorkspace(site.t.db);
  const page = await site.open(settings("people", id), { as: admin });
  for (const [verb, button] of [
    ["Remove as administrator", "Remove"],
    ["Deactivate", "Deactivate"],
    ["Remove from workspace", "Remove"],
  ] as const) {
    await chooseAction(page, "Ada Moss", verb);
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: button }).click();
    await dialog
      .getByRole("alert")
      .getByText(/last administrator/)
      .waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
  }
  const { body } = await (await site.clientOf(admin)).get(`/api/workspaces/${id}/members`);
  assert.deepEqual(
    (body.data as { is_admin: boolean; active: boolean }[]).map(({ is_admin, active }) => [is_admin, active]),
    [[true, true]],
  );
  await page.leave();
});

test("a team is created, renamed, given a member and a project, and deleted", async () => {
  const person = await makeNamedMember(site, "Vera", "Lane");
  const client = await site.clientOf(person);
  const page = await site.open(settings("teams"));
  await page.getByRole("button", { name: "New team" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Payments");
  await page.getByRole("button", { name: "Create team" }).click();
  await chooseAction(page, "Payments", "Rename");
  await page.getByLabel("Name", { exact: true }).fill("Checkout");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("button", { name: /^Checkout/ }).click();
  await page.getByRole("button", { name: /Add someone to Checkout/ }).click();
  await page.getByRole("option", { name: /Vera Lane/ }).click();
  await page.getByRole("list", { name: "Members of Checkout" }).getByText("Vera Lane").waitFor();
  await eventually(async () => (await client.get("/api/projects/WEB")).status, 403);
  await page.getByRole("button", { name: /Add a project to Checkout/ }).click();
  await page.getByRole("option", { name: /Web shop/ }).click();
  await page.getByRole("button", { name: /^Role of Checkout in Web shop/ }).waitFor();
  await eventually(async () => (await client.get("/api/projects/WEB")).status, 200);
  await page.checkAccessibility();
  await chooseAction(page, "Checkout", "Delete team");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete team" }).click();
  await page.getByText("No teams yet.").waitFor();
  await eventually(async () => (await client.get("/api/projects/WEB")).status, 403);
  await page.leave();
});

test("people are found by any part of their name", async () => {
  const { id, admin } = await makeWorkspace(site.t.db);
  for (const name of ["Grace", "Tom", "Una", "Sam", "Kim", "Lou", "Max"])
    await makeNamedMember(site, name, "Reed", id);
  const page = await site.open(settings("people", id), { as: admin });
  const people = page.getByRole("list", { name: "People" });
  const field = page.getByRole("searchbox", { name: "Find people" });
  await people.getByText("Tom Reed").waitFor();
  await field.fill("ace");
  await people.getByText("Tom Reed").waitFor({ state: "hidden" });
  await field.press("Home");
  await page.keyboard.type("Gr");
  await eventually(() => field.inputValue(), "Grace");
  await page.waitForURL(/query=Grace/);
  await people.getByText("Grace Reed").waitFor();
  await field.fill("nobody at all");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await people.getByText("Tom Reed").waitFor();
  await eventually(() => field.inputValue(), "");
  await page.leave();
});
