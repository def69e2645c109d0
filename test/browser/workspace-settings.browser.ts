import assert from "node:assert/strict";
import { test } from "node:test";
import { makeProject, makeRole, makeWorkspace } from "../support/make.ts";
import { eventually } from "../support/eventually.ts";
import { chooseAction } from "./choose-action.ts";
import { makeNamedMember } from "./make-named-member.ts";
import { pickOption } from "./pick-option.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const settings = (section: string, workspaceId = site.workspaceId) =>
  `/workspaces/${workspaceId}/settings?section=${section}`;

test("removing a permission from a role hides its actions from people with the role", async () => {
  const member = await site.member("Member");
  const before = await site.open("/projects/WEB/issues", { as: member });
  await before.getByRole("button", { name: "New issue" }).first().waitFor();
  await before.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Epics" }).waitFor();
  await before.leave();

  const page = await site.open(settings("roles"));
  await page.getByRole("button", { name: /^Member/ }).click();
  const table = page.getByRole("region", { name: "Permissions of Member" });
  await table.getByRole("checkbox", { name: "Issues: create" }).uncheck();
  await table.getByRole("checkbox", { name: "Epics: read" }).uncheck();
  await page.checkAccessibility();
  await page.getByRole("button", { name: "Save permissions" }).click();
  await page.getByText("Member saved").waitFor();
  await page.leave();

  const after = await site.open("/projects/WEB/issues", { as: member });
  const main = after.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Issues", exact: true }).waitFor();
  await after.getByRole("heading", { level: 1 }).first().waitFor();
  await eventually(() => after.getByRole("button", { name: "New issue" }).count(), 0);
  await eventually(() => main.getByRole("link", { name: "Epics" }).count(), 0);
  await after.leave();
});

test("a role is created from another with the keyboard and deleted; its members get the replacement", async () => {
  const page = await site.open(settings("roles"));
  await page.getByRole("button", { name: "New role" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "New role" });
  await dialog.waitFor();
  await page.keyboard.type("Auditor");
  await pickOption(dialog, "Start from", "Viewer");
  await dialog.getByRole("checkbox", { name: "Comments: create" }).focus();
  await page.keyboard.press("Space");
  await page.checkAccessibility();
  await dialog.getByLabel("Name").focus();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  const { body } = await site.api.get(`/api/workspaces/${site.workspaceId}/roles`);
  const role = (body.data as { id: number; name: string; permissions: string[] }[]).find(
    ({ name }) => name === "Auditor",
  );
  assert.ok(role?.permissions.includes("comments:create") && !role.permissions.includes("issues:create"));

  const someone = await makeNamedMember(site, "Ida", "Bell");
  await site.api.post(`/api/projects/WEB/members`, { user_id: someone.id, role_id: role?.id });
  await chooseAction(page, "Auditor", "Delete role");
  const deleting = page.getByRole("dialog", { name: "Delete Auditor?" });
  await pickOption(deleting, "Replacement role", "Reporter");
  await deleting.getByRole("button", { name: "Delete role" }).click();
  await deleting.waitFor({ state: "hidden" });
  const { body: members } = await site.api.get(`/api/projects/WEB/members`);
  const now = (members.data as { user_id: number; role_id: number }[]).find(
    ({ user_id }) => user_id === someone.id,
  );
  assert.equal(now?.role_id, await makeRole(site.t.db, site.workspaceId, "Reporter"));
  await page.leave();
});

test("a feature that is turned off disappears from the navigation until it is turned on", async () => {
  const { id, admin } = await makeWorkspace(site.t.db);
  await makeProject(site.t.db, id);
  const page = await site.open(settings("features", id), { as: admin });
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

test("a date typed into the audit log filter applies on Enter, one from the calendar immediately", async () => {
  const { id, admin } = await makeWorkspace(site.t.db);
  await (await site.clientOf(admin)).post(`/api/workspaces/${id}/teams`, { name: "Payments" });
  const page = await site.open(settings("audit", id), { as: admin });
  await page.getByRole("list", { name: "Events" }).getByText("created the team").waitFor();
  const from = page.getByLabel("From", { exact: true });
  await from.focus();
  await page.keyboard.type("11112001");
  assert.doesNotMatch(page.url(), /since/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/since=2001-11-11/);
  await eventually(() => from.inputValue(), "11 Nov 2001");
  // The calendar opens at the date, and its choice applies at once.
  await page.keyboard.press("ArrowDown");
  const day = page
    .getByRole("dialog", { name: "Calendar" })
    .getByRole("button", { name: /11 November 2001/ });
  await day.waitFor();
  await eventually(() => day.evaluate((element) => element === document.activeElement), true);
  await page.checkAccessibility();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("PageDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/since=2001-12-12/);
  await eventually(() => from.evaluate((element) => element === document.activeElement), true);
  await page.getByRole("list", { name: "Events" }).getByText("created the team").waitFor();
  await page.leave();
});

test("the audit log shows who did what and can be filtered", async () => {
  const { id, admin } = await makeWorkspace(site.t.db);
  await makeNamedMember(site, "Ines", "Wood", id);
  const client = await site.clientOf(admin);
  await client.post(`/api/workspaces/${id}/teams`, { name: "Payments" });
  await client.patch(`/api/workspaces/${id}`, { features: { reports: false } });
  const page = await site.open(settings("audit", id), { as: admin });
  const events = page.getByRole("list", { name: "Events" });
  await events.getByRole("button", { name: "Ada Moss turned off reports" }).click();
  await events.getByText("feature.switched").waitFor();
  await events.getByRole("button", { name: "Ada Moss created the team “Payments”" }).waitFor();

  await page.getByRole("button", { name: /^What/ }).click();
  await page.getByRole("option", { name: "Teams", exact: true }).click();
  await events.getByText("turned off reports").waitFor({ state: "hidden" });
  await events.getByText("created the team").waitFor();
  assert.match(page.url(), /kind=team/);

  await page.getByRole("button", { name: /^Who/ }).click();
  await page.getByRole("option", { name: /Ines Wood/ }).click();
  await page.getByText("No events match these filters.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await events.getByText("turned off reports").waitFor();

  await page.getByLabel("To", { exact: true }).fill("2001-01-01");
  await page.keyboard.press("Enter");
  await page.getByText("No events match these filters.").waitFor();
  await page.leave();
});

test("a test email is listed with its state and error", async () => {
  const page = await site.open(settings("mail"));
  await page.getByRole("button", { name: "Send test email" }).click();
  await page.getByText("No mail server is configured").waitFor();
  const mails = page.getByRole("list", { name: "Emails" });
  await mails.getByText("Test email from Signalbox").waitFor();
  await site.t.db
    .updateTable("mails")
    .set({ state: "failed", attempts: 3, last_error: "550 no such mailbox" })
    .where("subject", "=", "Test email from Signalbox")
    .execute();
  await page.getByRole("button", { name: "Refresh" }).click();
  await mails.getByText("3 attempts: 550 no such mailbox").waitFor();
  await page.getByRole("link", { name: "Failed" }).click();
  await mails.getByText("Test email from Signalbox").waitFor();
  await page.getByRole("link", { name: "Kept" }).click();
  await page.getByText("No emails in this state.").waitFor();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await mails.waitFor();
  await page.leave();
});

test("a second workspace is created with its own settings, and deleted by typing its name", async () => {
  const { admin } = await makeWorkspace(site.t.db);
  const page = await site.open("/", { as: admin });
  await page.getByRole("button", { name: /Ada Moss/ }).click();
  await page.getByRole("menuitem", { name: "Workspace settings" }).click();
  await page.getByRole("button", { name: "New workspace" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Second house");
  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByText("Second house").waitFor();
  await page.getByRole("link", { name: /^Settings of Workspace/ }).waitFor();
  await page.getByRole("button", { name: "Delete workspace" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Second house?" });
  const remove = dialog.getByRole("button", { name: "Delete workspace" });
  await eventually(() => remove.isDisabled(), true);
  await dialog.getByLabel("Type Second house to confirm").fill("Second house");
  await remove.click();
  await page.getByText("Second house deleted").waitFor();
  await page.getByRole("list", { name: "Recently deleted" }).getByText("Second house").waitFor();
  await eventually(() => page.getByRole("link", { name: /^Settings of/ }).count(), 0);
  await page.leave();
});

test("a member can read name, people, teams and roles, and nothing else", async () => {
  const reader = await makeNamedMember(site, "Rita", "Stone");
  const page = await site.open(settings("audit"), { as: reader });
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

test("an inaccessible workspace shows the not-found page", async () => {
  const { id } = await makeWorkspace(site.t.db);
  const page = await site.open(settings("general", id));
  await page.getByText("Page not found").waitFor();
  await page.leave();
});
