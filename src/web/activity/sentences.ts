import type { IssueActivity } from "../../shared/issues.ts";

/** Current names for the ids in a history; undefined for what was deleted or cannot be read. */
export type Names = {
  person: (id: number) => string | undefined;
  lane: (id: number) => string | undefined;
  sprint: (id: number) => string | undefined;
  epic: (id: number) => string | undefined;
  label: (id: number) => string | undefined;
  issue: (id: number) => string | undefined;
  priority: (value: number) => string | undefined;
  type: (value: number) => string | undefined;
  estimate: (minutes: number) => string;
  day: (day: string) => string;
};

/** What someone did, without their name: "moved it from To do to Done". */
export function sentenceOf(
  { kind, from, to, actor_id }: Omit<IssueActivity, "id" | "created_at">,
  names: Names,
): string {
  switch (kind) {
    case "created":
      return "created it";
    case "title":
      return `changed the title from “${String(from)}” to “${String(to)}”`;
    case "description":
      return "changed the description";
    case "lane_id":
      return `moved it from ${one(names.lane, from, "a deleted lane")} to ${one(names.lane, to, "a deleted lane")}`;
    case "priority":
      return `changed the priority from ${one(names.priority, from, "?")} to ${one(names.priority, to, "?")}`;
    case "type":
      return `changed the type from ${one(names.type, from, "?")} to ${one(names.type, to, "?")}`;
    case "assignee_id":
      return assigned(from, to, actor_id, names);
    case "sprint_id":
      return into(
        "sprint",
        one(names.sprint, from, "a deleted sprint"),
        one(names.sprint, to, "a deleted sprint"),
      );
    case "epic_id":
      return into("epic", one(names.epic, from, "a deleted epic"), one(names.epic, to, "a deleted epic"));
    case "estimated_minutes":
      return estimated(from, to, names);
    case "label_ids":
      return listed(from, to, names.label, {
        added: "added",
        removed: "removed",
        many: "labels",
        one: "label",
      });
    case "blocked_by_ids":
      return listed(from, to, names.issue, {
        added: "marked it as blocked by",
        removed: "marked it as no longer blocked by",
        many: "issues",
        one: "issue",
      });
    case "relates_to_ids":
      return listed(from, to, names.issue, {
        added: "related it to",
        removed: "marked it as no longer related to",
        many: "issues",
        one: "issue",
      });
    case "due_on":
      return typeof to === "string" ? `set the due date to ${names.day(to)}` : "removed the due date";
    case "parent_id":
      return typeof to === "number"
        ? `made it a sub-issue of ${names.issue(to) ?? "a deleted issue"}`
        : `removed it from ${one(names.issue, from, "a deleted issue") ?? "its parent"}`;
    case "duplicate_of_id":
      return typeof to === "number"
        ? `marked it as a duplicate of ${names.issue(to) ?? "a deleted issue"}`
        : `marked it as no longer a duplicate of ${one(names.issue, from, "a deleted issue") ?? "an issue"}`;
    case "blocks_ids":
      return listed(from, to, names.issue, {
        added: "marked it as blocking",
        removed: "marked it as no longer blocking",
        many: "issues",
        one: "issue",
      });
    case "attachments":
      return typeof to === "string" ? `attached “${to}”` : `deleted the attachment “${String(from)}”`;
    case "regressed":
      return reopened(from, to);
    default:
      return "changed it";
  }
}

/** A whole sentence, because nobody did it. */
function reopened(from: unknown, to: unknown): string {
  const { error_group_id: error } = from as { error_group_id: number };
  const { release } = to as { release: string | null };
  return `Error #${error} happened again${release === null ? "" : ` in ${release}`}, which reopened the issue`;
}

function one(name: (id: number) => string | undefined, value: unknown, gone: string): string | undefined {
  return typeof value === "number" ? (name(value) ?? gone) : undefined;
}

function assigned(from: unknown, to: unknown, actor: number | null, { person }: Names): string {
  const before = one(person, from, "someone");
  if (typeof to !== "number") return `unassigned ${before ?? "it"}`;
  const after = to === actor ? "themselves" : (person(to) ?? "someone");
  return before === undefined ? `assigned ${after}` : `assigned ${after} instead of ${before}`;
}

function into(what: string, from: string | undefined, to: string | undefined): string {
  if (to === undefined) return `took it out of the ${what} ${from ?? ""}`.trimEnd();
  return from === undefined ? `put it into the ${what} ${to}` : `moved it from the ${what} ${from} to ${to}`;
}

function estimated(from: unknown, to: unknown, { estimate }: Names): string {
  if (typeof to !== "number") return "removed the estimate";
  const before = typeof from === "number" ? ` from ${estimate(from)}` : "";
  return before === "" ? `estimated ${estimate(to)}` : `changed the estimate${before} to ${estimate(to)}`;
}

type Words = { added: string; removed: string; many: string; one: string };

function listed(from: unknown, to: unknown, name: (id: number) => string | undefined, words: Words): string {
  const [before, after] = [idsOf(from), idsOf(to)];
  const phrase = (verb: string, ids: number[]) => {
    if (ids.length === 0) return [];
    const known = ids.map(name).filter((word) => word !== undefined);
    const gone = ids.length - known.length;
    const rest = gone === 0 ? [] : [gone === 1 ? `a deleted ${words.one}` : `${gone} deleted ${words.many}`];
    const things = [...known, ...rest].join(", ");
    const noun =
      words.one === "label" && known.length > 0 ? `the ${ids.length === 1 ? words.one : words.many} ` : "";
    return [`${verb} ${noun}${things}`];
  };
  return [
    ...phrase(
      words.added,
      after.filter((id) => !before.includes(id)),
    ),
    ...phrase(
      words.removed,
      before.filter((id) => !after.includes(id)),
    ),
  ].join(" and ");
}

const idsOf = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((id) => typeof id === "number") : [];
