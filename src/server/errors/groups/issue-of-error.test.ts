import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Issue } from "../../../shared/issues.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { issuesOf, promote } from "../../../../test/support/promote-group.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp({ PUBLIC_URL: "https://track.example.org" });
const workspace = await makeWorkspace(t.db);
const open = () => openProject(t, workspace);

/** The issue created from the event's group. */
async function promoted(event: Record<string, unknown>): Promise<{ issue: Issue; group: ErrorGroup }> {
  const project = await open();
  const { id } = await project.first(event);
  const answer = await promote(project, id);
  assert.equal(answer.status, 200, answer.text);
  const [issue] = await issuesOf(project);
  return { issue: issue as Issue, group: answer.body };
}
const pointsOf = (text: string) => Array.from(text).length;

test("the description contains trace, count, environment, both times and a link to the group", async () => {
  const project = await open();
  const trace = "#0 /srv/app/src/Cart.php(12): total()\n#1 {main}";
  const event = { environment: "staging", stack_trace: trace };
  await project.send(event);
  const group = await project.first(event);
  await promote(project, group.id);
  const [issue] = await issuesOf(project);
  const [key] = issue?.key.split("-") ?? [];
  assert.equal(
    issue?.description,
    [
      "- Occurrences: 2",
      "- Environment: ` staging `",
      `- First seen: ${group.first_seen_at}`,
      `- Last seen: ${group.last_seen_at}`,
      `- Error group: https://track.example.org/projects/${key}/errors/${group.id}`,
      "",
      "```",
      trace,
      "```",
    ].join("\n"),
  );
});

test("the title is one line, truncated to 255 characters between characters", async () => {
  const lines = await promoted({ exception_class: "E", message: "one\r\ntwo\nthree\rfour\u2028five\tsix" });
  assert.equal(lines.issue.title, "E: one two three four five six");
  assert.equal((await promoted({ exception_class: "E", message: "" })).issue.title, "E: ");
  const long = await promoted({ exception_class: "E", message: "😀".repeat(300) });
  assert.equal(long.issue.title, `E: ${"😀".repeat(252)}`);
  const breaks = await promoted({ exception_class: "E", message: `${"\r\n".repeat(251)}xy` });
  assert.equal(breaks.issue.title, `E: ${" ".repeat(251)}x`);
  const all = await promoted({ exception_class: "C".repeat(255), message: "m" });
  assert.equal(all.issue.title, "C".repeat(255));
});

test("if a description is too long, only its trace is truncated", async () => {
  const environment = "`".repeat(200);
  const { issue } = await promoted({ environment, stack_trace: "😀".repeat(131_072) });
  const description = issue.description as string;
  assert.ok(pointsOf(description) <= 65_535);
  assert.ok(pointsOf(description) > 65_000);
  assert.match(description, /^- Occurrences: 1\n- Environment: `{201} `{200} `{201}\n- First seen: /);
  assert.match(description, /errors\/\d+\n\n```\n(?:😀)+\n…\n```$/u);
});

for (const [name, trace] of [
  ["a closing fence", "a\n```\n# b\n````\nc"],
  ["fences of every length", Array.from({ length: 300 }, (_, n) => "`".repeat(n)).join("\n")],
  ["nothing but backticks", "`".repeat(131_072)],
  ["backticks behind much text", `${"x".repeat(65_000)}\n${"`".repeat(60_000)}`],
  ["backticks in the middle", `${"x".repeat(30_000)}\n${"`".repeat(20_000)}\n${"x".repeat(30_000)}`],
  ["carriage returns", "a\r```\rb\r\n```\r\nc"],
] as const)
  test(`a trace with ${name} stays inside its code block`, async () => {
    const { issue } = await promoted({ stack_trace: trace });
    const description = issue.description as string;
    assert.ok(pointsOf(description) <= 65_535, String(pointsOf(description)));
    const [, fence = "", body = ""] = /\n\n(`{3,})\n([^]*)\n\1$/.exec(description) ?? [];
    assert.ok(fence.length >= 3);
    for (const run of body.match(/`+/g) ?? []) assert.ok(run.length < fence.length);
    const begun = body.replace(/\n…$/, "");
    assert.ok(begun.length > 10 && trace.startsWith(begun));
  });
