import type { ErrorGroup } from "../../../../shared/error-groups.ts";
import type { KeptFrame } from "../../../../shared/kept-events.ts";
import { mappedTrace } from "../../../../shared/stack-trace/mapped-trace.ts";
import type { Db } from "../../../db/connect.ts";
import { commentParts } from "./comments.ts";
import { factList, joined, type Fact } from "./facts.ts";
import { readNames, readPeople } from "./read-names.ts";
import { writeMarkdown, type Budget, type Part } from "./write-markdown.ts";

type Options = {
  url: string;
  budget: Budget;
  /** Those of the newest event, with their original code. */
  frames: readonly KeptFrame[];
  withComments: boolean;
};

/** An error group with its message, trace, causes and comments. */
export async function errorGroupMarkdown(
  db: Db,
  group: ErrorGroup,
  { url, budget, frames, withComments }: Options,
): Promise<string> {
  const target = { project_id: group.project_id, kind: "error_group", id: group.id } as const;
  const causes = group.previous_exceptions.flatMap((cause): Part[] => [
    { text: "## Caused by" },
    { noun: "Message", outside: classAndMessage(cause.exception_class, cause.message) },
    { noun: "Trace", outside: cause.stack_trace },
  ]);
  const trace = mappedTrace(group.latest_stack_trace, frames);
  const parts: Part[] = [
    { text: `# Error ${group.id}` },
    { text: `<${url}>` },
    { text: factList(await factsOf(db, group)) },
    { noun: "Message", outside: classAndMessage(group.exception_class, group.latest_message) },
    ...(trace === "" ? [] : [{ text: "## Stack trace" }, { noun: "Trace", outside: trace }]),
    ...causes,
    ...(withComments ? await commentParts(db, target) : []),
  ];
  return writeMarkdown(parts, budget);
}

/** "RuntimeException: It broke". The class is from outside, too. */
export const classAndMessage = (exceptionClass: string, message: string): string =>
  message.trim() === "" ? exceptionClass : `${exceptionClass}: ${message}`;

async function factsOf(db: Db, group: ErrorGroup): Promise<Fact[]> {
  const people = await readPeople(db, [group.assignee_id]);
  const { context } = group;
  return [
    ["Status", statusOf(group)],
    ["Level", group.level],
    ["Environment", group.environment],
    ["Events", group.occurrence_count],
    ["Affected users", group.affected_users],
    ["First seen", group.first_seen_at],
    ["Last seen", group.last_seen_at],
    ["First release", group.release],
    ["Latest release", group.last_release],
    [
      "Context",
      context && joined([context.kind, ...(group.context_label === null ? [] : [group.context_label])]),
    ],
    ["Runtime", nameAndVersion(group.runtime)],
    ["Framework", nameAndVersion(group.framework)],
    ["Assignee", people.get(group.assignee_id ?? 0)],
    ["Issue", joined(await readNames(db, group.project_id, "issues", [group.linked_issue_id]))],
    ["Commits", joined(group.git_links.map(({ repository, ref }) => `${repository} ${ref.slice(0, 12)}`))],
  ];
}

const STATUSES = ["Open", "Resolved", "Ignored"];

const statusOf = ({ status, regressed_at }: ErrorGroup): string | undefined =>
  status === 0 && regressed_at !== null ? "Regressed" : STATUSES[status];

const nameAndVersion = ({ name, version }: ErrorGroup["runtime"]): string | null =>
  [name, version].filter((part) => part !== null).join(" ") || null;
