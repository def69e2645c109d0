import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { deleteHiddenRows, endRestorePeriods } from "../support/delete-hidden-rows.ts";
import { makeRole, makeTeam } from "../support/make.ts";
import { eventually } from "../support/eventually.ts";
import { chooseAction, pressInMenu } from "./choose-action.ts";
import { pickOption } from "./pick-option.ts";
import { useTestSite } from "./test-site.ts";

const site = await useTestSite();

const settings = (section: string, key = "WEB") => `/projects/${key}/settings?section=${section}`;

/** Creates a project for tests whose changes would affect others. */
async function makeProject(key: string): Promise<{ id: number; key: string }> {
  const answer = await site.api.post("/api/projects", { key, name: `Project ${key}` });
  assert.equal(answer.status, 201, answer.text);
  return answer.body as { id: number; key: string };
}

async function laneNames(projectId: number): Promise<string[]> {
  const { body } = await site.api.get(`/api/projects/${projectId}/lanes`);
  return (body.data as { name: string }[]).map(({ name }) => name);
}

test("a new name appears everywhere, an error is shown under the field, and spikes have thresholds", async () => {
  const { id } = await makeProject("NAME");
  const page = await site.open(settings("general", "NAME"));
  const name = page.getByLabel("Name", { exact: true });
  const save = page.locator("form", { has: name }).getByRole("button", { name: "Save" });
  await name.fill("Shop window");
  await save.click();
  await page.getByText("Saved").waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByText("Shop window").first().waitFor();
  await name.fill("   ");
  await save.click();
  await page.getByText("Must not be blank.").waitFor();
  const times = page.getByLabel("Times the usual rate");
  await times.fill("5");
  await page.locator("form", { has: times }).getByRole("button", { name: "Save" }).click();
  await eventually(async () => (await site.api.get(`/api/projects/${id}`)).body.spike, {
    events: 50,
    times: 5,
  });
  await page.checkAccessibility();
  await page.leave();
});

test("lanes are reordered with the menu, the keyboard and by dragging", async () => {
  const project = await makeProject("LANE");
  const page = await site.open(settings("lanes", "LANE"));
  const lanes = page.getByRole("list", { name: "Lanes" });
  await lanes.getByRole("group", { name: "Backlog" }).waitFor();

  await chooseAction(page, "Backlog", "Move to bottom");
  await eventually(() => laneNames(project.id), ["To do", "In progress", "Done", "Backlog"]);

  /** The lanes as the page shows them. */
  const shown = () =>
    lanes.getByRole("group").evaluateAll((groups) => groups.map((group) => group.getAttribute("aria-label")));
  await eventually(shown, ["To do", "In progress", "Done", "Backlog"]);
  await lanes.getByRole("group", { name: "Done" }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowUp");
  await eventually(shown, ["To do", "Done", "In progress", "Backlog"]);
  await page.keyboard.press("ArrowUp");
  await eventually(shown, ["Done", "To do", "In progress", "Backlog"]);
  await page.keyboard.press("Space");
  await eventually(() => laneNames(project.id), ["Done", "To do", "In progress", "Backlog"]);

  await lanes.getByRole("group", { name: "To do" }).focus();
  await page.keyboard.press("Alt+ArrowDown");
  await eventually(() => laneNames(project.id), ["Done", "In progress", "To do", "Backlog"]);

  await lanes
    .getByRole("group", { name: "Backlog" })
    .dragTo(lanes.getByRole("group", { name: "Done" }), { targetPosition: { x: 60, y: 4 } });
  await eventually(() => laneNames(project.id), ["Backlog", "Done", "In progress", "To do"]);
  await page.leave();
});

test("a lane is added, renamed, and deleted with its issues moved to another", async () => {
  const project = await makeProject("MOVE");
  const { body: first } = await site.api.get(`/api/projects/${project.id}/lanes`);
  const [backlog, todo] = first.data as { id: number }[];
  for (const title of ["One", "Two"])
    await site.api.post(`/api/projects/${project.id}/issues`, { title, lane_id: backlog?.id });
  const page = await site.open(settings("lanes", "MOVE"));

  await page.getByRole("button", { name: "Add lane" }).click();
  const adding = page.getByRole("dialog", { name: "Add lane" });
  await adding.getByLabel("Name").fill("Review");
  await adding.getByRole("radio", { name: "In progress" }).check();
  await page.checkAccessibility();
  await adding.getByRole("button", { name: "Add", exact: true }).click();
  await adding.waitFor({ state: "hidden" });

  await chooseAction(page, "Review", "Edit lane");
  const editing = page.getByRole("dialog", { name: "Edit Review" });
  await editing.getByLabel("Name").fill("In review");
  await editing.getByRole("button", { name: "Save" }).click();
  await page.getByRole("group", { name: "In review" }).waitFor();

  await chooseAction(page, "Backlog", "Delete lane");
  const deleting = page.getByRole("dialog", { name: "Delete Backlog?" });
  await pickOption(deleting, "Move its 2 issues to", "To do");
  await page.checkAccessibility();
  await deleting.getByRole("button", { name: "Delete lane" }).click();
  await deleting.waitFor({ state: "hidden" });
  await eventually(() => laneNames(project.id), ["To do", "In progress", "Done", "In review"]);
  const { body: moved } = await site.api.get(`/api/projects/${project.id}/issues?lane_id=${todo?.id}`);
  assert.equal(moved.data.length, 2);
  await page.leave();
});

test("a label is created with a color, changed and deleted with the keyboard alone", async () => {
  const project = await makeProject("LBL");
  const page = await site.open(settings("labels", "LBL"));
  await page.getByText("No labels yet.").waitFor();
  await page.getByRole("button", { name: "Add label" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add label" });
  await dialog.waitFor();
  await page.keyboard.type("Checkout");
  await dialog.getByRole("button", { name: "Violet" }).focus();
  await page.keyboard.press("Space");
  await dialog.getByLabel("Name").focus();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  const labels = async () => {
    const { body } = await site.api.get(`/api/projects/${project.id}/labels`);
    return (body.data as { name: string; color: string }[]).map(({ name, color }) => [name, color]);
  };
  await eventually(() => labels(), [["Checkout", "#7a56b8"]]);

  await page.getByRole("button", { name: "Actions for Checkout" }).press("Enter");
  await pressInMenu(page, "Delete label");
  const confirm = page.getByRole("alertdialog", { name: "Delete label Checkout?" });
  await confirm.getByText("It will be removed from all issues").waitFor();
  await confirm.getByRole("button", { name: "Delete label" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("No labels yet.").waitFor();
  await eventually(() => labels(), []);
  await page.leave();
});

test("a dialog sends only the edited fields and keeps concurrent changes to others", async () => {
  const project = await makeProject("BOTH");
  const path = `/api/projects/${project.id}`;
  const label = (await site.api.post(`${path}/labels`, { name: "Checkout", color: "#b8437f" })).body;
  const page = await site.open(settings("labels", "BOTH"));
  await chooseAction(page, "Checkout", "Edit label");
  const dialog = page.getByRole("dialog", { name: "Edit Checkout" });
  await dialog.getByRole("button", { name: "Violet" }).click();
  await site.api.patch(`${path}/labels/${label.id}`, { name: "Payment" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "hidden" });
  const { data } = (await site.api.get(`${path}/labels`)).body;
  assert.deepEqual(
    (data as { name: string; color: string }[]).map(({ name, color }) => [name, color]),
    [["Payment", "#7a56b8"]],
  );

  await page.goto(settings("general", "BOTH"));
  await page.getByLabel("Description").fill("Sells shoes.");
  await site.api.patch(path, { name: "Shoe shop" });
  // The panels below have buttons of the same name.
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByText("Saved").waitFor();
  const { name, description } = (await site.api.get(path)).body;
  assert.deepEqual([name, description], ["Shoe shop", "Sells shoes."]);
  await page.leave();
});

test("Escape asks before discarding what was entered in a dialog", async () => {
  await makeProject("KEEP");
  const page = await site.open(settings("lanes", "KEEP"));
  await chooseAction(page, "Backlog", "Edit lane");
  const dialog = page.getByRole("dialog", { name: "Edit Backlog" });
  await dialog.getByRole("radio", { name: "In progress" }).check();
  await page.keyboard.press("Escape");
  await dialog.getByText("Discard your changes?").waitFor();
  await dialog.getByRole("button", { name: "Discard" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.goto("/");
  await page.getByRole("button", { name: "New project" }).click();
  const making = page.getByRole("dialog", { name: "New project" });
  await making.getByLabel("Description").fill("Shoes");
  await page.keyboard.press("Escape");
  await making.getByText("Discard your changes?").waitFor();
  await page.leave();
});

test("a workspace member is added, gets another role and is removed; a team is added", async () => {
  const project = await makeProject("PPL");
  const grace = await site.member("Viewer", { username: "grace" });
  await site.t.db
    .updateTable("users")
    .set({ first_name: "Grace", last_name: "Hill" })
    .where("id", "=", grace.id)
    .execute();
  const team = await makeTeam(site.t.db, site.workspaceId, { members: [grace] });
  const page = await site.open(settings("members", "PPL"));

  await page.getByRole("button", { name: "Add member" }).click();
  const dialog = page.getByRole("dialog", { name: "Add member" });
  await dialog.getByRole("button", { name: /^Person/ }).click();
  await page.getByRole("option", { name: /Grace Hill/ }).click();
  await page.checkAccessibility();
  await dialog.getByRole("button", { name: "Add member" }).click();
  await pickOption(page, "Role of Grace Hill", "Manager");
  const manager = await makeRole(site.t.db, site.workspaceId, "Manager");
  const rolesOf = async () => {
    const { body } = await site.api.get(`/api/projects/${project.id}/members`);
    return (body.data as { user_id: number; role_id: number }[])
      .filter(({ user_id }) => user_id === grace.id)
      .map(({ role_id }) => role_id);
  };
  await eventually(rolesOf, [manager]);

  await page.getByRole("button", { name: "Add team" }).click();
  const giving = page.getByRole("dialog", { name: "Add team" });
  await giving.getByRole("button", { name: /^Team/ }).click();
  await page.getByRole("option", { name: team.name }).click();
  await giving.getByRole("button", { name: "Add team" }).click();
  await page.getByRole("button", { name: `Role of ${team.name}` }).waitFor();

  await chooseAction(page, "Grace Hill", "Remove from project");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await eventually(rolesOf, []);
  await page.leave();
});

test("a viewer can read the settings and sees no controls to change them", async () => {
  const viewer = await site.member("Viewer");
  const page = await site.open(settings("lanes"), { as: viewer });
  await page.getByRole("list", { name: "Lanes" }).getByText("Backlog").first().waitFor();
  const sections = page.getByRole("navigation", { name: "Sections" });
  await eventually(
    () => sections.getByRole("link").allTextContents(),
    ["General", "Members", "Lanes", "Labels", "Templates", "Ingestion", "Inbound rules", "Privacy", "Usage"],
  );
  await eventually(() => page.getByRole("button", { name: "Add lane" }).count(), 0);
  await eventually(() => page.getByRole("button", { name: /^Actions for/ }).count(), 0);
  await sections.getByRole("link", { name: "Members" }).click();
  await page.getByRole("region", { name: "Permissions of Manager" }).waitFor();
  await page.getByRole("tab", { name: "Viewer" }).click();
  const cell = page.getByRole("row", { name: /^Issues/ }).getByRole("cell");
  await eventually(() => cell.allTextContents(), ["No", "Yes", "No", "No"]);
  await eventually(() => page.getByRole("button", { name: "Add member" }).count(), 0);
  await page.leave();
});

test("a deleted project can be restored in the settings of its workspace", async () => {
  const project = await makeProject("BACK");
  assert.equal((await site.api.delete(`/api/projects/${project.id}`)).status, 202);
  const page = await site.open(`/workspaces/${site.workspaceId}/settings`);
  await page.getByRole("button", { name: "Restore Project BACK" }).click();
  await page.getByText("Project BACK restored").waitFor();
  await page.goto("/projects/BACK");
  await page.getByRole("heading", { name: "Project BACK" }).first().waitFor();
  await page.leave();
});

test("deleting a project requires typing its key", async () => {
  const project = await makeProject("GONE");
  const page = await site.open(settings("danger", "GONE"));
  await page.getByRole("button", { name: "Delete project" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Project GONE?" });
  const remove = dialog.getByRole("button", { name: "Delete project" });
  await eventually(() => remove.isDisabled(), true);
  await dialog.getByLabel("Type GONE to confirm").fill("GON");
  await eventually(() => remove.isDisabled(), true);
  await dialog.getByLabel("Type GONE to confirm").fill("GONE");
  await page.checkAccessibility();
  await remove.click();
  await page.getByText("Project GONE deleted").waitFor();
  await page.waitForURL(({ pathname }) => pathname === "/");
  const { rows } = await sql<{ is_hidden: boolean }>`
    select deleted_at is not null as is_hidden from projects where id = ${project.id}`.execute(site.t.db);
  assert.deepEqual(rows, [{ is_hidden: true }]);
  await page.goto(`/workspaces/${site.workspaceId}/settings`);
  const deletions = page.getByRole("list", { name: "Recently deleted" });
  await deletions.getByText("Project GONE").first().waitFor();
  await page.checkAccessibility();
  await endRestorePeriods(site.t.db);
  await deletions.getByText("Counting…").waitFor();
  await page.checkAccessibility();
  await deleteHiddenRows(site.t);
  await deletions.waitFor({ state: "detached" });
  await page.leave();
});
