import assert from "node:assert/strict";
import { test } from "node:test";
import { makeIngestKey, makeWorkspace } from "../../../../test/support/make.ts";
import { listGroups, mergeInto, sendAs } from "../../../../test/support/merge.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Grouping } from "../../../shared/error-grouping.ts";
import { differingLine } from "./differing-line.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

async function groupingOf(project: TestProject, id: number): Promise<Grouping> {
  const answer = await project.admin.get(`${project.groups}/${id}/grouping`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

test("a trace with frames is grouped by class and trace, and each line shows which part of it counts", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({
    stack_trace: "#0 /var/www/shop/src/A.php(1): f()\r\n#1 /srv/x/vendor/acme/b.php(2): g()\r\n#2 {main}\r\n",
  });
  const { rule, lines, fingerprints, near, merged } = await groupingOf(project, id);
  assert.equal(rule, "class_and_trace");
  assert.deepEqual(lines, [
    { original: "#0 /var/www/shop/src/A.php(1): f()", normalized: "#0 shop/src/A.php(1): f()" },
    { original: "#1 /srv/x/vendor/acme/b.php(2): g()", normalized: "#1 vendor/acme/b.php(2): g()" },
    { original: "#2 {main}", normalized: "#2 {main}" },
  ]);
  assert.deepEqual(
    fingerprints.map(({ own, merged_at }) => [own, merged_at]),
    [[true, null]],
  );
  assert.match(fingerprints[0]?.fingerprint ?? "", /^[0-9a-f]{64}$/);
  assert.deepEqual([near, merged], [[], []]);
});

test("only the first line of a trace without frames counts", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ stack_trace: "\n  cannot open /home/u/a.txt \nat 10:20:30" });
  const { rule, lines, near } = await groupingOf(project, id);
  assert.equal(rule, "class_and_first_line");
  assert.deepEqual(lines, [
    { original: "  cannot open /home/u/a.txt ", normalized: "cannot open a.txt" },
    { original: "at 10:20:30", normalized: "" },
  ]);
  assert.deepEqual(near, []);
});

async function sendSentry(project: TestProject, key: string, event: object) {
  const answer = await t.http.post(`/api/${project.id}/store/?sentry_key=${key}`, {
    environment: "production",
    ...event,
  });
  assert.equal(answer.status, 200, answer.text);
  return (await listGroups(project))[0]?.id as number;
}

const thrown = (...frames: object[]) => ({
  exception: { values: [{ type: "TypeError", value: "x", stacktrace: { frames } }] },
});

test("an event of a Sentry SDK is grouped by the frames of its application, or by the client's own fingerprint", async () => {
  const project = await openProject(t, workspace);
  const key = await makeIngestKey(t.db, project.id);
  const library = { function: "run", filename: "/app/node_modules/x/y.js", lineno: 3, in_app: false };
  const own = (name: string) => ({
    function: name,
    filename: "https://a.example/assets/cart-9f8e7d6c.js",
    lineno: 7,
    in_app: true,
  });
  const id = await sendSentry(project, key, thrown(library, own("pay")));
  const other = await sendSentry(project, key, thrown(library, own("refund")));
  const { rule, lines, near } = await groupingOf(project, id);
  assert.equal(rule, "class_and_trace");
  assert.deepEqual(
    lines.map(({ normalized }) => normalized),
    ["at pay (/assets/cart.js)", ""],
  );
  assert.match(lines[0]?.original ?? "", /cart-9f8e7d6c\.js:7/);
  assert.deepEqual(near, [{ error_group_id: other, differs_in: "at refund (/assets/cart.js)" }]);
  const named = await sendSentry(project, key, { ...thrown(own("pay")), fingerprint: ["mine"] });
  const byClient = await groupingOf(project, named);
  assert.deepEqual([byClient.rule, byClient.lines, byClient.near], ["client", [], []]);
});

test("an event from whose trace personal data was removed is explained by class and trace", async () => {
  const project = await openProject(t, workspace);
  const key = await makeIngestKey(t.db, project.id);
  const frame = { function: "pay", filename: "/srv/tenants/customer-4711/cart.js", lineno: 7, in_app: true };
  const id = await sendSentry(project, key, { ...thrown(frame), user: { id: "customer-4711" } });
  const { rule, lines } = await groupingOf(project, id);
  assert.deepEqual(
    [rule, lines.map(({ normalized }) => normalized)],
    ["class_and_trace", ["at pay (/srv/tenants/[removed: user]/cart.js)"]],
  );
});

test("a native event can name its own group, which events of a Sentry SDK with the same fingerprint join", async () => {
  const project = await openProject(t, workspace);
  const send = (fingerprint: unknown, more: object = {}) => project.send({ fingerprint, ...more });
  await send(["stock", "low"]);
  await send(["stock", "low"], { exception_class: "Other", stack_trace: "#0 src/other.php(1): f()" });
  const { id, occurrence_count } = await project.only();
  assert.equal(occurrence_count, 2);
  assert.deepEqual((await groupingOf(project, id)).rule, "client");
  const key = await makeIngestKey(t.db, project.id);
  await sendSentry(project, key, { message: "low", fingerprint: ["stock", "low"] });
  assert.equal((await project.only()).occurrence_count, 3);
  await send(["{{ default }}", "shop-7"]);
  assert.equal((await listGroups(project)).length, 2, "a part of a computed group");
  for (const nothing of [undefined, null, [], "", {}, [[], null], ["{{ default }}"], "{{default}}"])
    await send(nothing);
  const counts = (await listGroups(project)).map((group) => group.occurrence_count);
  assert.deepEqual(
    counts.toSorted((a, b) => a - b),
    [1, 3, 8],
  );
});

test("groups of the same class and environment that differ in one line are listed as near, newest first", async () => {
  const project = await openProject(t, workspace);
  const trace = (...lines: string[]) => lines.map((line, n) => `#${n} src/${line}`).join("\n");
  const send = async (more: object, ...lines: string[]) => {
    await project.send({ stack_trace: trace(...lines), ...more });
    return (await listGroups(project))[0]?.id as number;
  };
  const [a, b, c] = ["a.php(1): f()", "b.php(2): g()", "c.php(3): h()"] as const;
  const id = await send({}, a, b, c);
  const moved = await send({}, a, "b.php(9): g()", c);
  const longer = await send({}, a, "x.php(1): x()", b, c);
  const shorter = await send({}, a, c);
  await send({}, "z.php(1): f()", "b.php(9): g()", c);
  await send({ exception_class: "Other" }, a, "b.php(8): g()", c);
  await send({ environment: "staging" }, a, "b.php(8): g()", c);
  const { near, near_groups } = await groupingOf(project, id);
  assert.deepEqual(near, [
    { error_group_id: shorter, differs_in: null },
    { error_group_id: longer, differs_in: "#1 src/x.php(1): x()" },
    { error_group_id: moved, differs_in: "#1 src/b.php(9): g()" },
  ]);
  assert.deepEqual(
    near_groups.map(({ id: near_id, exception_class, occurrence_count }) => [
      near_id,
      exception_class,
      occurrence_count,
    ]),
    [shorter, longer, moved].map((near_id) => [near_id, "RuntimeException", 1]),
  );
});

test("merged fingerprints are listed with their error, and the latest event explains the rule", async () => {
  const project = await openProject(t, workspace);
  const [a, b] = [await sendAs(project, "A"), await sendAs(project, "B")];
  const own = (await groupingOf(project, b.id)).fingerprints[0]?.fingerprint;
  await mergeInto(project, a.id, [b.id]);
  const { rule, fingerprints, merged, lines } = await groupingOf(project, a.id);
  assert.deepEqual(
    [rule, fingerprints.map((entry) => entry.own), fingerprints[1]?.fingerprint],
    ["class_and_trace", [true, false], own],
  );
  assert.match(fingerprints[1]?.merged_at ?? "", /\+00:00$/);
  assert.deepEqual(merged, [{ fingerprint: own, exception_class: "B", message: "B" }]);
  assert.match(lines[0]?.original ?? "", /B\.php/);
});

test("the differing line is found at the start, in the middle and at the end, and only if it is the only one", () => {
  const own = ["a", "b", "c"];
  for (const [other, expected] of [
    [["x", "b", "c"], "x"],
    [["a", "b", "x"], "x"],
    [["x", "a", "b", "c"], "x"],
    [["a", "b", "c", "x"], "x"],
    [["b", "c"], null],
    [["a", "b"], null],
    [own, undefined],
    [["a", "x", "y"], undefined],
    [["a", "x", "c", "y"], undefined],
    [["a"], undefined],
    [[], undefined],
  ] as [string[], string | null | undefined][])
    assert.equal(differingLine(own, other), expected, other.join());
  assert.equal(differingLine(["#0 a", "#1 b"], ["#0 a", "#1 x", "#2 b"]), "#1 x");
});
