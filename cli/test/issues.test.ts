import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { makeMember } from "../../test/support/make.ts";
import { useSignedIn } from "./support/signed-in.ts";

const s = await useSignedIn();
const { sbx, json } = s;

test("issue create prints the key and the address of the new issue", async () => {
  const { code, stdout } = await sbx(["issue", "create", "Prices are wrong"]);
  assert.equal(code, 0);
  assert.equal(stdout, `${s.board.key}-1 ${s.url}/projects/${s.board.key}/issues/${s.board.key}-1\n`);
});

test("issue create finds lanes, users and labels by their names", async () => {
  const member = await makeMember(s.t.db, s.board.id);
  const label = await s.board.label("Checkout");
  const args = ["--type", "bug", "--priority", "highest", "--lane", "in progress", "--label", "checkout"];
  const issue = await json([
    "issue",
    "create",
    "Broken",
    "-d",
    "**Badly**",
    ...args,
    "--assignee",
    member.username,
  ]);
  const { title, description, type, priority, lane_id, assignee_id, label_ids } = issue;
  assert.deepEqual([title, description, type, priority], ["Broken", "**Badly**", 1, 0]);
  assert.deepEqual([lane_id, assignee_id, label_ids], [s.board.lanes.doing, member.id, [label]]);
  assert.equal(
    (await json(["issue", "create", "Mine", "--assignee", "me"])).assignee_id,
    s.workspace.admin.id,
  );
});

test("an unknown lane is exit code 4 and names those that exist", async () => {
  const { code, stderr } = await sbx(["issue", "create", "X", "--lane", "Nowhere"]);
  assert.equal(code, 4);
  assert.equal(stderr, "sbx: There is no lane Nowhere. There are: Backlog, To do, In progress, Done.\n");
  assert.deepEqual(await json(["issue", "list", "--all"]), []);
});

test("a title that is too long is refused by name", async () => {
  const { code, stderr } = await sbx(["issue", "create", "x".repeat(256)]);
  assert.equal(code, 1);
  assert.match(stderr, /^sbx: TITLE must be at most 255 characters\./);
});

test("a description comes from a file or from stdin", async () => {
  const file = path.join(s.program.folder, "description.md");
  await writeFile(file, "From a file");
  assert.equal((await json(["issue", "create", "A", "--description-file", file])).description, "From a file");
  const { stdout } = await sbx(["issue", "create", "B", "--description-file", "-", "--json"], {
    input: "From stdin",
  });
  assert.equal(JSON.parse(stdout).description, "From stdin");
  assert.equal((await sbx(["issue", "create", "C", "--description-file", "/nowhere"])).code, 2);
});

test("issues are listed by lane, assignee and state", async () => {
  await s.board.make({ title: "Open", assignee_id: s.workspace.admin.id });
  await s.board.make({ title: "Closed", lane_id: s.board.lanes.done });
  const titles = async (...args: string[]) =>
    (await json(["issue", "list", ...args])).map(({ title }: { title: string }) => title);
  assert.deepEqual(await titles(), ["Open"]);
  assert.deepEqual(await titles("--closed"), ["Closed"]);
  assert.deepEqual(await titles("--all"), ["Closed", "Open"]);
  assert.deepEqual(await titles("--lane", "Done"), ["Closed"]);
  assert.deepEqual(await titles("--all", "--assignee", s.workspace.admin.username), ["Open"]);
  assert.deepEqual(await titles("--all", "--assignee", "none"), ["Closed"]);
  assert.match((await sbx(["issue", "list"])).stdout, /^\S+-1\tfeature\tmedium\topen\t\S+\tOpen\n$/);
});

test("issue comment and issue view work with the number of an issue of the current project", async () => {
  await s.board.make({ title: "Prices", description: "All\nof them" });
  assert.equal((await sbx(["issue", "comment", "1", "-"], { input: "Seen **twice**" })).code, 0);
  const { code, stdout } = await sbx(["issue", "view", "1"]);
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`^${s.board.key}-1 Prices\n`));
  assert.match(stdout, /\n\nAll\nof them\n\n/);
  assert.match(stdout, /\nSeen \*\*twice\*\*\n$/);
  assert.equal((await json(["issue", "view", `${s.board.key.toLowerCase()}-1`])).comments_count, 1);
});

test("issue move moves an issue to a lane by name or kind", async () => {
  const { key, id } = await s.board.make();
  assert.match(
    (await sbx(["issue", "move", key, "In progress"])).stdout,
    new RegExp(`^${key} is now in In progress: `),
  );
  assert.equal((await s.board.read(id)).lane_id, s.board.lanes.doing);
  assert.equal((await json(["issue", "move", key, "done"])).lane_id, s.board.lanes.done);
});

test("an unknown issue is exit code 4, and what is no key is 2", async () => {
  assert.equal((await sbx(["issue", "view", "99"])).code, 4);
  assert.equal((await sbx(["issue", "view", "what"])).code, 2);
  assert.equal((await sbx(["issue", "create", "X"], { env: { SIGNALBOX_PROJECT: "" } })).code, 2);
});
