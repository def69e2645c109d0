import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { makeProject, makeRole, makeWorkspace, makeWorkspaceMember } from "../support/make.ts";
import { eventually, openStage, type Stage, type TestPage } from "./support.ts";

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.close());

const settings = (section: string, workspaceId = stage.workspaceId) =>
  `/workspaces/${workspaceId}/settings?section=${section}`;

const act = async (page: TestPage, thing: string, verb: string) => {
  await page.getByRole("button", { name: `Actions for ${thing}` }).click();
  await page.getByRole("menuitem", { name: verb }).click();
};

/** Somebody in the workspace with a name of their own. */
async function makePerson(first_name: string, last_name: string, workspaceId = stage.workspaceId) {
  const user = await makeWorkspaceMember(stage.t.db, workspaceId);
  await stage.t.db.updateTable("users").set({ first_name, last_name }).where("id", "=", user.id).execute();
  return user;
}

test("somebody who is invited opens the link elsewhere, joins, and comments on an issue", async () => {
  const { body: issue } = await stage.api.post(`/api/projects/WEB/issues`, { title: "Checkout fails" });
  const page = await stage.open(settings("invitations"));
  await page.getByText("No open invitations.").waitFor();
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Invite" });
  await dialog.getByLabel("E-mail").fill("grace@example.com");
  await dialog.getByRole("button", { name: "Add a project" }).click();
  await dialog.getByLabel("Role in project 1").selectOption({ label: "Member" });
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  const done = page.getByRole("dialog", { name: "grace@example.com is invited" });
  const link = await done.getByLabel("Link", { exact: true }).inputValue();
  assert.ok(link.startsWith(`${stage.url}/invitations/`), link);
  await page.keyboard.press("Escape");
  await page.mouse.click(8, 8);
  await page.checkAccessibility();
  await done.getByRole("button", { name: "Done" }).click();
  await page.getByRole("list", { name: "Invitations" }).getByText("grace@example.com").waitFor();
  await eventually(() => page.getByText(link).count(), 0);

  const elsewhere = await stage.open(new URL(link).pathname, { as: null });
  await elsewhere.getByLabel("First name").fill("Grace");
  await elsewhere.getByLabel("Last name").fill("Hill");
  await elsewhere.getByLabel("Username").fill("grace");
  await elsewhere.getByLabel("Password").fill("correct horse battery");
  await elsewhere.getByRole("button", { name: "Create account and join" }).click();
  await elsewhere.getByRole("navigation", { name: "Main" }).waitFor();
  const status = await elsewhere.evaluate(async (path) => {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ content: "It fails for me too." }),
    });
    return answer.status;
  }, `/api/projects/WEB/issues/${issue.key}/comments`);
  assert.equal(status, 201);
  const { body: comments } = await stage.api.get(`/api/projects/WEB/issues/${issue.key}/comments`);
  assert.deepEqual(
    (comments.data as { content: string }[]).map(({ content }) => content),
    ["It fails for me too."],
  );
  await elsewhere.leave();

  await page.reload();
  await page.getByText("No open invitations.").waitFor();
  await page.getByRole("link", { name: "People" }).click();
  await page.getByRole("list", { name: "People" }).getByText("Grace Hill").waitFor();
  await page.leave();
});

test("an invitation is sent again with a new link and withdrawn; the old links no longer work", async () => {
  const made = await stage.api.post(`/api/workspaces/${stage.workspaceId}/invitations`, {
    email: "late@example.com",
  });
  const old = new URL(made.body.link as string).pathname;
  const page = await stage.open(settings("invitations"));
  await act(page, "late@example.com", "Send again");
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  await page.getByRole("button", { name: "Done" }).click();
  await eventually(async () => (await stage.t.http.get(`/api${old}`)).status, 404);
  const fresh = new URL(link).pathname;
  await eventually(async () => (await stage.t.http.get(`/api${fresh}`)).status, 200);
  await act(page, "late@example.com", "Withdraw");
  await page.getByRole("alertdialog").getByRole("button", { name: "Withdraw" }).click();
  await page.getByText("No open invitations.").waitFor();
  await eventually(async () => (await stage.t.http.get(`/api${fresh}`)).status, 404);
  await page.leave();
});

test("a permission that is switched off hides its verb from whoever has the role", async () => {
  const member = await stage.member("Member");
  const before = await stage.open("/projects/WEB/issues", { as: member });
  await before.getByRole("button", { name: "New issue" }).first().waitFor();
  await before.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Epics" }).waitFor();
  await before.leave();

  const page = await stage.open(settings("roles"));
  await page.getByRole("button", { name: /^Member/ }).click();
  const table = page.getByRole("region", { name: "Permissions of Member" });
  await table.getByRole("checkbox", { name: "Issues: create" }).uncheck();
  await table.getByRole("checkbox", { name: "Epics: read" }).uncheck();
  await page.checkAccessibility();
  await page.getByRole("button", { name: "Save permissions" }).click();
  await page.getByText("Member was changed.").waitFor();
  await page.leave();

  const after = await stage.open("/projects/WEB/issues", { as: member });
  const main = after.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Issues", exact: true }).waitFor();
  await after.getByRole("heading", { level: 1 }).first().waitFor();
  await eventually(() => after.getByRole("button", { name: "New issue" }).count(), 0);
  await eventually(() => main.getByRole("link", { name: "Epics" }).count(), 0);
  await after.leave();
});

test("a role is made with the keyboard from another one, and deleted; whoever had it gets the other", async () => {
  const page = await stage.open(settings("roles"));
  await page.getByRole("button", { name: "New role" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "New role" });
  await dialog.waitFor();
  await page.keyboard.type("Auditor");
  await dialog.getByLabel("Start from").selectOption({ label: "Viewer" });
  await dialog.getByRole("checkbox", { name: "Comments: create" }).focus();
  await page.keyboard.press("Space");
  await page.checkAccessibility();
  await dialog.getByLabel("Name").focus();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  const { body } = await stage.api.get(`/api/workspaces/${stage.workspaceId}/roles`);
  const role = (body.data as { id: number; name: string; permissions: string[] }[]).find(
    ({ name }) => name === "Auditor",
  );
  assert.ok(role?.permissions.includes("comments:create") && !role.permissions.includes("issues:create"));

  const someone = await makePerson("Ida", "Bell");
  await stage.api.post(`/api/projects/WEB/members`, { user_id: someone.id, role_id: role?.id });
  await act(page, "Auditor", "Delete role");
  const deleting = page.getByRole("dialog", { name: "Delete Auditor?" });
  await deleting.getByLabel("Whoever has it becomes").selectOption({ label: "Reporter" });
  await deleting.getByRole("button", { name: "Delete role" }).click();
  await deleting.waitFor({ state: "hidden" });
  const { body: members } = await stage.api.get(`/api/projects/WEB/members`);
  const now = (members.data as { user_id: number; role_id: number }[]).find(
    ({ user_id }) => user_id === someone.id,
  );
  assert.equal(now?.role_id, await makeRole(stage.t.db, stage.workspaceId, "Reporter"));
  await page.leave();
});

test("whoever is deactivated has no access until they are activated again", async () => {
  const person = await makePerson("Otto", "Fields");
  const client = await stage.clientOf(person);
  const path = `/api/workspaces/${stage.workspaceId}`;
  await eventually(async () => (await client.get(path)).status, 200);
  const page = await stage.open(settings("people"));
  await act(page, "Otto Fields", "Deactivate");
  await page.getByRole("alertdialog").getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("Deactivated", { exact: true }).waitFor();
  await eventually(async () => (await client.get(path)).status, 403);
  await act(page, "Otto Fields", "Activate");
  await page.getByText("Deactivated", { exact: true }).waitFor({ state: "hidden" });
  await eventually(async () => (await client.get(path)).status, 200);
  await page.leave();
});

test("the last administrator is told why they stay", async () => {
  const { id, admin } = await makeWorkspace(stage.t.db);
  const page = await stage.open(settings("people", id), { as: admin });
  for (const [verb, button] of [
    ["No longer an administrator", "Change"],
    ["Deactivate", "Deactivate"],
    ["Remove from workspace", "Remove"],
  ] as const) {
    await act(page, "Ada Moss", verb);
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: button }).click();
    await dialog
      .getByRole("alert")
      .getByText(/last administrator/)
      .waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
  }
  const { body } = await (await stage.clientOf(admin)).get(`/api/workspaces/${id}/members`);
  assert.deepEqual(
    (body.data as { is_admin: boolean; active: boolean }[]).map(({ is_admin, active }) => [is_admin, active]),
    [[true, true]],
  );
  await page.leave();
});

test("a feature that is switched off disappears from the navigation, and comes back", async () => {
  const { id, admin } = await makeWorkspace(stage.t.db);
  await makeProject(stage.t.db, id);
  const page = await stage.open(settings("features", id), { as: admin });
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Triage" }).waitFor();
  const reports = page.getByRole("switch", { name: "Reports" });
  await reports.focus();
  await page.keyboard.press("Space");
  await main.getByRole("link", { name: "Triage" }).waitFor({ state: "hidden" });
  await page.getByRole("switch", { name: "Error tracking" }).click();
  await main.getByRole("link", { name: "Errors", exact: true }).waitFor({ state: "hidden" });
  await reports.click();
  await main.getByRole("link", { name: "Triage" }).waitFor();
  await page.leave();
});

test("a team is made, renamed, given a member and a project, and deleted", async () => {
  const person = await makePerson("Vera", "Lane");
  const client = await stage.clientOf(person);
  const page = await stage.open(settings("teams"));
  await page.getByRole("button", { name: "New team" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Payments");
  await page.getByRole("button", { name: "Make team" }).click();
  await act(page, "Payments", "Rename");
  await page.getByLabel("Name", { exact: true }).fill("Checkout");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("button", { name: /^Checkout/ }).click();
  await page.getByRole("button", { name: /Add somebody to Checkout/ }).click();
  await page.getByRole("option", { name: /Vera Lane/ }).click();
  await page.getByRole("list", { name: "Members of Checkout" }).getByText("Vera Lane").waitFor();
  await eventually(async () => (await client.get("/api/projects/WEB")).status, 403);
  await page.getByRole("button", { name: /Give Checkout a project/ }).click();
  await page.getByRole("option", { name: /Web shop/ }).click();
  await page.getByLabel("Role of Checkout in Web shop").waitFor();
  await eventually(async () => (await client.get("/api/projects/WEB")).status, 200);
  await page.checkAccessibility();
  await act(page, "Checkout", "Delete team");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete team" }).click();
  await page.getByText("No teams yet.").waitFor();
  await eventually(async () => (await client.get("/api/projects/WEB")).status, 403);
  await page.leave();
});

test("people are found by what is typed, wherever in the words it is typed", async () => {
  const { id, admin } = await makeWorkspace(stage.t.db);
  for (const name of ["Grace", "Tom", "Una", "Sam", "Kim", "Lou", "Max"]) await makePerson(name, "Reed", id);
  const page = await stage.open(settings("people", id), { as: admin });
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

test("a day of the audit log is typed, and counts once it is entered", async () => {
  const { id, admin } = await makeWorkspace(stage.t.db);
  await (await stage.clientOf(admin)).post(`/api/workspaces/${id}/teams`, { name: "Payments" });
  const page = await stage.open(settings("audit", id), { as: admin });
  await page.getByRole("list", { name: "Events" }).getByText("made the team").waitFor();
  const from = page.getByLabel("From", { exact: true });
  await from.focus();
  await page.keyboard.type("11112001");
  await eventually(() => from.inputValue(), "2001-11-11");
  assert.doesNotMatch(page.url(), /since/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/since=2001-11-11/);
  await page.getByRole("list", { name: "Events" }).getByText("made the team").waitFor();
  await page.leave();
});

test("the audit log shows what was done, by whom, and can be narrowed to it", async () => {
  const { id, admin } = await makeWorkspace(stage.t.db);
  await makePerson("Ines", "Wood", id);
  const client = await stage.clientOf(admin);
  await client.post(`/api/workspaces/${id}/teams`, { name: "Payments" });
  await client.patch(`/api/workspaces/${id}`, { features: { reports: false } });
  const page = await stage.open(settings("audit", id), { as: admin });
  const events = page.getByRole("list", { name: "Events" });
  await events.getByRole("button", { name: "Ada Moss switched reports off" }).click();
  await events.getByText("feature.switched").waitFor();
  await events.getByRole("button", { name: "Ada Moss made the team “Payments”" }).waitFor();

  await page.getByLabel("What").selectOption({ label: "Teams" });
  await events.getByText("switched reports off").waitFor({ state: "hidden" });
  await events.getByText("made the team").waitFor();
  assert.match(page.url(), /kind=team/);

  await page.getByRole("button", { name: /^Who/ }).click();
  await page.getByRole("option", { name: /Ines Wood/ }).click();
  await page.getByText("Nothing of this kind is in the log.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await events.getByText("switched reports off").waitFor();

  await page.getByLabel("To", { exact: true }).fill("2001-01-01");
  await page.getByText("Nothing of this kind is in the log.").waitFor();
  await page.leave();
});

test("a test mail is listed, with what became of it and why", async () => {
  const page = await stage.open(settings("mail"));
  await page.getByRole("button", { name: "Send a test mail" }).click();
  await page.getByText("No mail server is set up.").waitFor();
  const mails = page.getByRole("list", { name: "Mails" });
  await mails.getByText("A test mail from Signalbox").waitFor();
  await stage.t.db
    .updateTable("mails")
    .set({ state: "failed", attempts: 3, last_error: "550 no such mailbox" })
    .where("subject", "=", "A test mail from Signalbox")
    .execute();
  await page.getByRole("button", { name: "Refresh" }).click();
  await mails.getByText("3 attempts: 550 no such mailbox").waitFor();
  await page.getByRole("link", { name: "Failed" }).click();
  await mails.getByText("A test mail from Signalbox").waitFor();
  await page.getByRole("link", { name: "Kept" }).click();
  await page.getByText("No mail is in this state.").waitFor();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await mails.waitFor();
  await page.leave();
});

test("another workspace is made, and has settings of its own", async () => {
  const { admin } = await makeWorkspace(stage.t.db);
  const page = await stage.open("/", { as: admin });
  await page.getByRole("button", { name: /Ada Moss/ }).click();
  await page.getByRole("menuitem", { name: "Workspace settings" }).click();
  await page.getByRole("button", { name: "New workspace" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Second house");
  await page.getByRole("button", { name: "Make workspace" }).click();
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByText("Second house").waitFor();
  await page.getByRole("link", { name: /^Settings of Workspace/ }).waitFor();
  await page.leave();
});

test("a member reads name, people, teams and roles, and is offered nothing more", async () => {
  const reader = await makePerson("Rita", "Stone");
  const page = await stage.open(settings("audit"), { as: reader });
  const sections = page.getByRole("navigation", { name: "Sections" });
  await sections.waitFor();
  await eventually(
    () => sections.getByRole("link").allTextContents(),
    ["General", "People", "Teams", "Roles"],
  );
  await eventually(() => page.getByRole("button", { name: "Save" }).count(), 0);
  await sections.getByRole("link", { name: "People" }).click();
  await page.getByRole("list", { name: "People" }).getByText("Rita Stone").waitFor();
  await eventually(() => page.getByRole("button", { name: /^Actions for/ }).count(), 0);
  await sections.getByRole("link", { name: "Roles" }).click();
  await page.getByRole("button", { name: /^Viewer/ }).click();
  await page.getByRole("region", { name: "Permissions of Viewer" }).waitFor();
  await eventually(() => page.getByRole("checkbox").count(), 0);
  await page.leave();
});

test("a workspace that is somebody else's is not found", async () => {
  const { id } = await makeWorkspace(stage.t.db);
  const page = await stage.open(settings("general", id));
  await page.getByText("There is nothing at this address").waitFor();
  await page.leave();
});

test("every section is without an accessibility violation in both themes, and fits a narrow screen", async () => {
  await stage.api.post(`/api/workspaces/${stage.workspaceId}/invitations`, { email: "someone@example.com" });
  await stage.api.post(`/api/workspaces/${stage.workspaceId}/teams`, { name: "Support" });
  const headings = {
    general: "General",
    features: "Features",
    people: "People",
    invitations: "Invitations",
    teams: "Teams",
    roles: "Roles",
    mail: "Mail",
    audit: "Audit log",
  };
  for (const [theme, width] of [
    ["light", 1280],
    ["dark", 360],
  ] as const) {
    const page = await stage.open(settings("general"), { theme, width });
    for (const [section, heading] of Object.entries(headings)) {
      await page.goto(settings(section));
      await page.getByRole("heading", { name: heading, exact: true }).waitFor();
      for (const loading of await page.getByText("Loading", { exact: true }).all())
        await loading.waitFor({ state: "hidden" });
      await page.checkAccessibility();
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      assert.equal(wide, false, `${section} scrolls sideways at ${width} px`);
    }
    await page.leave();
  }
});
