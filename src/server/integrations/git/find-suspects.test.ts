import assert from "node:assert/strict";
import { test } from "node:test";
import { openGit, type GitProject, type Payload } from "../../../../test/support/git.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeUser,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Suspect } from "../../../shared/git.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

let count = 0;

/** Pushes a commit to the default branch, and returns its hash. */
async function push(git: GitProject, files: string[], change: (push: Payload) => void = () => {}) {
  const hash = (++count).toString(16).padStart(40, "0");
  await git.receive("push", (payload) => {
    payload.commits = [
      { ...payload.commits[0], id: hash, message: `Change ${files.join()}`, modified: files },
    ];
    payload.after = hash;
    change(payload);
  });
  return hash;
}

const deploy = (git: GitProject, version: string, commit?: string) =>
  git.admin.post(`/api/projects/${git.id}/releases`, { version, commit });

const traceOf = (file: string) => `#0 ${file}(12): Cart->pay()\n#1 {main}`;

/** Sends an event and returns the suspects of its group. */
async function suspectsOf(git: GitProject, file: string, event: object = {}): Promise<Suspect[]> {
  const { id } = await git.first({ stack_trace: traceOf(file), ...event });
  const answer = await git.admin.get(`${git.groups}/${id}/suspects`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data as Suspect[];
}

test("suspects are the commits with a file of the trace, newest first", async () => {
  const git = await openGit(t, workspace);
  const first = await push(git, ["src/checkout/Cart.php", "README.md"]);
  await push(git, ["src/checkout/Coupon.php"]);
  const last = await push(git, ["packages/shop/checkout/Cart.php"]);
  const suspects = await suspectsOf(git, "/var/www/app/src/checkout/Cart.php");
  assert.deepEqual(
    suspects.map(({ commit, files }) => [commit, files]),
    [
      [last, ["packages/shop/checkout/Cart.php"]],
      [first, ["src/checkout/Cart.php"]],
    ],
  );
  assert.equal(suspects[1]?.title, "Change src/checkout/Cart.php,README.md");
  assert.equal(suspects[1]?.author_name, "Grace Hopper");
});

test("the file's name and its folder have to match, and the name alone where there is no folder", async () => {
  const git = await openGit(t, workspace);
  await push(git, ["other/Cart.php"]);
  await push(git, ["src/checkout/cart.php"]);
  assert.deepEqual(await suspectsOf(git, "/app/checkout/Cart.php"), []);
  const top = await openGit(t, workspace);
  const hash = await push(top, ["Cart.php"]);
  assert.deepEqual(
    (await suspectsOf(top, "/app/Cart.php")).map(({ commit }) => commit),
    [hash],
  );
  const bare = await openGit(t, workspace);
  const nested = await push(bare, ["src/checkout/Cart.php"]);
  assert.deepEqual(
    (await suspectsOf(bare, "Cart.php")).map(({ commit }) => commit),
    [nested],
  );
});

test("frames of libraries are not compared", async () => {
  const git = await openGit(t, workspace);
  await push(git, ["vendor/shop/Cart.php"]);
  assert.deepEqual(await suspectsOf(git, "/app/vendor/shop/Cart.php"), []);
});

test("commits up to the release before the group's first one, and after that one, are no suspects", async () => {
  const git = await openGit(t, workspace);
  const file = "src/checkout/Cart.php";
  const before = await push(git, [file]);
  await deploy(git, "1.0.0", before);
  const within = await push(git, [file]);
  const last = await push(git, [file]);
  const after = await push(git, [file]);
  await deploy(git, "1.1.0", last);
  await deploy(git, "1.2.0", after);
  const suspects = await suspectsOf(git, `/app/${file}`, { release: "1.1.0" });
  assert.deepEqual(
    suspects.map(({ commit }) => commit),
    [last, within],
  );
});

test("without commits of deploys, the time of the push decides", async () => {
  const git = await openGit(t, workspace);
  const file = "src/checkout/Cart.php";
  await push(git, [file]);
  await deploy(git, "1.0.0");
  const within = await push(git, [file]);
  await deploy(git, "1.1.0");
  await push(git, [file]);
  const suspects = await suspectsOf(git, `/app/${file}`, { release: "1.1.0" });
  assert.deepEqual(
    suspects.map(({ commit }) => commit),
    [within],
  );
});

test("at most five suspects are listed, and commits of other branches are none", async () => {
  const git = await openGit(t, workspace);
  const file = "src/checkout/Cart.php";
  for (let n = 0; n < 6; n++) await push(git, [file]);
  await push(git, [file], (payload) => {
    payload.ref = "refs/heads/cart";
    payload.commits[0].message = `See ${git.issue.key}`;
  });
  const suspects = await suspectsOf(git, `/app/${file}`);
  assert.equal(suspects.length, 5);
  assert.ok(suspects.every(({ title }) => title.startsWith("Change")));
});

test("a suspect names the member who has confirmed the author's address", async () => {
  const git = await openGit(t, workspace);
  const file = "src/checkout/Cart.php";
  const user = await makeUser(t.db, { email: "grace@example.com" });
  await push(git, [file]);
  const { id } = await git.first({ stack_trace: traceOf(`/app/${file}`) });
  const userId = async () => (await git.admin.get(`${git.groups}/${id}/suspects`)).body.data[0].user_id;
  assert.equal(await userId(), null, "the user has no access to the project");
  await makeMember(t.db, git.id, { user });
  assert.equal(await userId(), user.id);
  await t.db.updateTable("users").set({ email_verified: false }).where("id", "=", user.id).execute();
  assert.equal(await userId(), null);
});

test("suspects require Error Groups: Read and are not for project tokens", async () => {
  const git = await openGit(t, workspace);
  const { id } = await git.first();
  const url = `${git.groups}/${id}/suspects`;
  const as = async (role: "Reporter" | "Member") =>
    t.http.as(await makePersonalToken(t.db, (await makeMember(t.db, git.id, { role })).id));
  assert.equal((await (await as("Member")).get(url)).status, 200);
  assert.equal((await (await as("Reporter")).get(url)).status, 403);
  const token = t.http.as(await makeProjectToken(t.db, git.id, workspace.admin.id));
  assert.equal((await token.get(url)).status, 403);
  assert.equal((await git.admin.get(`${git.groups}/999999/suspects`)).status, 404);
});
