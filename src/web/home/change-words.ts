import type { Home } from "../../shared/home.ts";
import { countOf } from "../kit/count-text.ts";

const FIELDS: Record<string, string> = {
  title: "title",
  description: "description",
  type: "type",
  priority: "priority",
  assignee_id: "assignee",
  sprint_id: "sprint",
  epic_id: "epic",
  estimated_minutes: "estimate",
  label_ids: "labels",
  blocked_by_ids: "relations",
  blocks_ids: "relations",
};

/** What happened to an issue: "moved it to Done, changed the title and priority, and wrote 2 comments". */
export function wordsOf(change: Home["changes"][number]): string {
  const { changed, lane_name, new_comments } = change;
  // Creating an issue sets all its fields.
  if (changed.includes("created")) return joined(["created it", comments(new_comments)]);
  const fields = [
    ...new Set(changed.filter((kind) => kind !== "lane_id").map((kind) => FIELDS[kind] ?? kind)),
  ];
  return joined([
    changed.includes("lane_id") ? `moved it to ${lane_name}` : "",
    fields.length > 0 ? `changed the ${listed(fields)}` : "",
    comments(new_comments),
  ]);
}

const comments = (count: number) => (count === 0 ? "" : `wrote ${countOf(count, "comment")}`);

const list = new Intl.ListFormat("en");

const joined = (parts: string[]) => list.format(parts.filter((part) => part !== ""));

const listed = (words: string[]) =>
  words.length < 3 ? words.join(" and ") : `${words.slice(0, 2).join(", ")} and ${words.length - 2} more`;
