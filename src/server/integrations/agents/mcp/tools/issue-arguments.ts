import { z } from "zod";
import type { issueChanges } from "../../../../../shared/issues.ts";

const text = z.string({ error: "must be a string" });
const number = z.int({ error: "must be a whole number" });
const ids = z.array(z.int(), { error: "must be a list of ids" });

const LANE =
  "The lane, which is its state. The structured content of list_issues and get_issue names the lanes.";

type Name = Exclude<keyof z.output<typeof issueChanges>, "title">;

/** The fields of an issue that both a new and a changed one may have. The routes check their values. */
const FIELDS = {
  description: [text, "Markdown."],
  type: [number, "0: feature, 1: bug."],
  priority: [number, "From 0 (highest) to 4 (lowest)."],
  lane_id: [number, LANE],
  assignee_id: [number, "The user who works on it."],
  sprint_id: [number, "The sprint."],
  epic_id: [number, "The epic."],
  estimated_minutes: [number, "The estimate in minutes."],
  blocked_by_ids: [ids, "The issues that block it."],
  blocks_ids: [ids, "The issues that it blocks."],
  relates_to_ids: [ids, "Related issues."],
  label_ids: [ids, "Its labels."],
  due_on: [text, "The due date, such as 2026-11-20."],
  parent_id: [number, "The issue that it is a part of."],
  duplicate_of_id: [number, "The issue that it duplicates."],
} as const satisfies Record<Name, readonly [z.ZodType, string]>;

type Value<N extends Name> = (typeof FIELDS)[N][0];

export const newIssueFields = fieldsWith((value) => value.optional()) as {
  [N in Name]: z.ZodOptional<Value<N>>;
};

/** Null clears a field. */
export const changedIssueFields = fieldsWith((value) => value.nullable().optional()) as {
  [N in Name]: z.ZodOptional<z.ZodNullable<Value<N>>>;
};

function fieldsWith(wrap: (value: z.ZodType) => z.ZodType): Record<string, z.ZodType> {
  const fields = Object.entries<readonly [z.ZodType, string]>(FIELDS);
  return Object.fromEntries(
    fields.map(([name, [value, description]]) => [name, wrap(value).describe(description)]),
  );
}
