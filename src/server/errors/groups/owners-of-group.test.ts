import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMember, makeTeam, makeUser, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { ownersOfGroup } from "./owners-of-group.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** A project whose only group has this trace. */
async function openOwned(file = "/var/www/app/src/Checkout.php") {
  const project = await openProject(t, workspace);
  const group = await project.first({
    stack_trace: `#0 /var/www/app/vendor/lib/Http.php(3): get()\n#1 ${file}(12): pay()\n#2 {main}`,
  });
  const url = `/api/projects/${project.id}`;
  const own = async (code_owners: string | null) => {
    const changed = await project.admin.patch(url, { code_owners });
    assert.deepEqual([changed.status, changed.body.code_owners], [200, code_owners], changed.text);
    return (await project.only()).owners;
  };
  return { ...project, url, group, own };
}

test("a group shows who owns the file of its top frame of the app", async () => {
  const { id, own, group } = await openOwned();
  const user = await makeMember(t.db, id);
  const team = await makeTeam(t.db, workspace.id, { projects: [{ id }] });
  assert.deepEqual(group.owners, []);
  const names = `@${user.username.toUpperCase()} ${user.email} @${team.name.toLowerCase().replace(" ", "-")}`;
  const owners = await own(`* @nobody\n/src/ ${names}\n/vendor/ @nobody`);
  assert.deepEqual(owners, [
    { user_id: user.id, username: user.username },
    { team_id: team.id, name: team.name },
  ]);
  assert.deepEqual(await ownersOfGroup(t.db, id, group.id, []), owners);
  assert.deepEqual(await own(null), []);
});

test("people and teams without access to the project are left out", async () => {
  const { own } = await openOwned();
  const user = await makeUser(t.db);
  const team = await makeTeam(t.db, workspace.id);
  assert.deepEqual(await own(`* @${user.username} ${user.email} @${team.name.replace(" ", "-")}`), []);
});

test("a name is a username before it is a team, and a team of an organization is named by its last part", async () => {
  const { id, own } = await openOwned();
  const team = await makeTeam(t.db, workspace.id, { projects: [{ id }] });
  const name = `team-${id}`;
  await t.db.updateTable("teams").set({ name }).where("id", "=", team.id).execute();
  assert.deepEqual(await own(`* @acme/${name}`), [{ team_id: team.id, name }]);
  const user = await makeMember(t.db, id, { user: await makeUser(t.db, { username: name }) });
  assert.deepEqual(await own(`* @${name}`), [{ user_id: user.id, username: name }]);
});

test("code owners of more than 64 KiB return 422, and lists of projects leave them out", async () => {
  const { admin, url, own } = await openOwned();
  await own("é".repeat(32_768));
  const refused = await admin.patch(url, { code_owners: `${"é".repeat(32_768)}x` });
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ["code_owners"]]);
  const list = await admin.get("/api/projects");
  assert.ok(list.body.data.every((project: object) => !("code_owners" in project)));
});
