import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import { contextFacts, countsNote, daysNote, memoryText, nameAndVersion } from "./facts.ts";
import { groupMarkdown } from "./group-markdown.ts";

const GROUP = {
  status: 0,
  regressed_at: null,
  reopen_count: 0,
  environment: "production",
  exception_class: "App\\Failed_*",
  latest_message: "no ```price```",
  latest_stack_trace: "#0 /srv/a.php(1): f()",
  occurrence_count: 12,
  affected_users: null,
  first_seen_at: "2026-11-20T00:00:00.000000+00:00",
  last_seen_at: "2026-11-21T00:00:00.000000+00:00",
  last_release: null,
  exception_code: null,
  runtime: { name: "PHP", version: null },
  framework: { name: null, version: null },
  memory_peak_bytes: 1024,
  memory_limit_bytes: null,
  context: { kind: "job", name: "SendMail", queue: null, attempt: 2 },
  previous_exceptions: [{ exception_class: "PDOException", message: "", stack_trace: "" }],
  releases: [],
  releases_count: 0,
  daily_counts: [1, 2],
} as unknown as ErrorGroup;

test("the Markdown of a group has message, facts, trace and causes, and no content breaks out of its fence", () => {
  assert.equal(
    groupMarkdown(GROUP, "https://signalbox.example/projects/WEB/errors/1"),
    [
      "# App\\\\Failed\\_\\*",
      "````\nno ```price```\n````",
      [
        "- Status: Open",
        "- Environment: production",
        "- Events: 12",
        "- Affected users: unknown",
        "- First seen: 2026-11-20T00:00:00.000000+00:00",
        "- Last seen: 2026-11-21T00:00:00.000000+00:00",
        "- Runtime: PHP",
        "- Memory: 1 kB",
        "- Job: SendMail",
        "- Attempt: 2",
      ].join("\n"),
      "## Stack trace",
      "```\n#0 /srv/a.php(1): f()\n```",
      "## Caused by PDOException",
      "<https://signalbox.example/projects/WEB/errors/1>",
      "",
    ].join("\n\n"),
  );
});

test("facts that were not sent are left out", () => {
  assert.equal(nameAndVersion({ name: null, version: null }), null);
  assert.equal(memoryText(null, null), null);
  assert.equal(memoryText(0, 1_048_576), "0 B of 1 MB");
  assert.deepEqual(contextFacts(null), []);
  assert.deepEqual(contextFacts({ kind: "command", name: null, class: null }), [["Context", "command"]]);
});

test("counts are explained only if they add up to less than the total", () => {
  const release = { release: "1", occurrence_count: 5, first_seen_at: "", last_seen_at: "" };
  assert.match(
    countsNote({ occurrence_count: 6, releases: [release], releases_count: 1 }) ?? "",
    /^5 of 6 events/,
  );
  assert.equal(countsNote({ occurrence_count: 5, releases: [release], releases_count: 1 }), null);
  assert.equal(countsNote({ occurrence_count: 5, releases: [], releases_count: 0 }), null);
  assert.notEqual(daysNote(GROUP, "2026-11-20"), null);
  assert.equal(daysNote(GROUP, "2026-11-21"), null);
  assert.equal(daysNote({ ...GROUP, occurrence_count: 3 }, "2026-11-20"), null);
});
