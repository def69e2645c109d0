import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { upload } from "../../../../test/support/multipart.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** Column 1 is `total` in src/cart.ts, column 21 is `checkout` in src/page.ts, column 41 has no original code. */
const MAP = JSON.stringify({
  version: 3,
  sources: ["../src/cart.ts", "../src/page.ts"],
  names: ["total", "checkout"],
  mappings: "AASAA,oBCTAC,oB",
});

async function open({ isOn = true } = {}): Promise<TestProject> {
  const project = await openProject(t, workspace);
  if (isOn) {
    const { status } = await project.admin.patch(`/api/projects/${project.id}`, {
      group_by_mapped_frames: true,
    });
    assert.equal(status, 200);
  }
  return project;
}

async function addMap(project: TestProject, release: string, file: string): Promise<void> {
  const url = `/api/projects/${project.id}/releases/${release}/artifacts`;
  const answer = await upload(project.sender, url, [
    { name: "files[0]", filename: `~/${file}.map`, content: MAP },
  ]);
  assert.equal(answer.status, 201, answer.text);
}

/** An event of a build, which has names of its own. */
function build(release: string, names: [string, string]) {
  const file = `https://shop.test/${release}.js`;
  const [inner, outer] = names;
  return {
    release,
    exception_class: "TypeError",
    stack_trace: `TypeError: no\n    at ${inner} (${file}:1:5)\n    at ${outer} (${file}:1:21)`,
  };
}

const groupsOf = async ({ admin, groups }: TestProject) =>
  (await admin.get(groups)).body.data.map(
    ({ occurrence_count }: { occurrence_count: number }) => occurrence_count,
  );

test("builds with other names and files are one error if their maps are uploaded", async () => {
  const project = await open();
  for (const [release, names] of [
    ["one", ["a", "b"]],
    ["two", ["c", "d"]],
  ] as const) {
    await addMap(project, release, `${release}.js`);
    await project.send(build(release, [...names]));
    await project.send(build(release, [...names]));
  }
  assert.deepEqual(await groupsOf(project), [4]);
  const group = await project.only();
  const { body } = await project.admin.get(`${project.groups}/${group.id}/grouping`);
  assert.equal(body.rule, "mapped_frames");
  assert.deepEqual(
    body.lines.map(({ normalized }: { normalized: string }) => normalized),
    ["at checkout (src/cart.ts)", "at ? (src/page.ts)"],
  );
});

test("without the setting, they are two errors", async () => {
  const project = await open({ isOn: false });
  for (const [release, names] of [
    ["one", ["a", "b"]],
    ["two", ["c", "d"]],
  ] as const) {
    await addMap(project, release, `${release}.js`);
    await project.send(build(release, [...names]));
  }
  assert.deepEqual(await groupsOf(project), [1, 1]);
});

test("an error that has a group keeps it when its map arrives later", async () => {
  const project = await open();
  await project.send(build("one", ["a", "b"]));
  await addMap(project, "one", "one.js");
  await project.send(build("one", ["a", "b"]));
  assert.deepEqual(await groupsOf(project), [2]);
});

test("a fingerprint that the client chose counts as it is", async () => {
  const project = await open();
  for (const release of ["one", "two"]) {
    await addMap(project, release, `${release}.js`);
    await project.send({ ...build(release, ["a", "b"]), fingerprint: [release] });
  }
  assert.deepEqual(await groupsOf(project), [1, 1]);
});

test("a map that cannot be read, and positions without original code, count as sent", async () => {
  const project = await open();
  const url = `/api/projects/${project.id}/releases/one/artifacts`;
  await upload(project.sender, url, [{ name: "files[0]", filename: "~/one.js.map", content: "not a map" }]);
  await project.send(build("one", ["a", "b"]));
  await addMap(project, "two", "two.js");
  await project.send({
    ...build("two", ["c", "d"]),
    stack_trace:
      "TypeError: no\n    at c (https://shop.test/two.js:1:45)\n    at d (https://shop.test/two.js:2:1)",
  });
  assert.deepEqual(await groupsOf(project), [1, 1]);
});

test("events that arrive together are one error", async () => {
  const project = await open();
  await addMap(project, "one", "one.js");
  await Promise.all(Array.from({ length: 20 }, () => project.send(build("one", ["a", "b"]))));
  assert.deepEqual(await groupsOf(project), [20]);
});
