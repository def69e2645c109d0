import type { Epic } from "../../../../shared/epics.ts";
import { issueFilters } from "../../../../shared/issues.ts";
import { inlineText } from "../../../../shared/markdown/fenced.ts";
import type { Sprint } from "../../../../shared/sprints.ts";
import type { Db } from "../../../db/connect.ts";
import { listIssues } from "../../../work/issues/list-issues.ts";
import { commentParts } from "./comments.ts";
import { factList } from "./facts.ts";
import { readNames, readPeople } from "./read-names.ts";
import { writeMarkdown, type Budget, type Part } from "./write-markdown.ts";

type Options = {
  url: string;
  budget: Budget;
  /** Whose permission to read issues was checked; undefined if they may not. */
  issuesFor: number | undefined;
};

const MAX_ISSUES = 200;

/** An epic with its issues and comments. */
export async function epicMarkdown(db: Db, epic: Epic, options: Options): Promise<string> {
  const people = await readPeople(db, [epic.owner_id, epic.created_by]);
  const { backlog, todo, doing, done } = epic.issue_counts;
  const facts = factList([
    ["State", epic.state],
    ["Owner", people.get(epic.owner_id ?? 0)],
    ["Created by", people.get(epic.created_by ?? 0)],
    ["Starts", epic.starts_on],
    ["Ends", epic.ends_on],
    ["Issues", `${backlog} in the backlog, ${todo} to do, ${doing} in progress, ${done} done`],
    ["Created", epic.created_at],
    ["Updated", epic.updated_at],
  ]);
  const target = { project_id: epic.project_id, kind: "epic", id: epic.id } as const;
  const parts: Part[] = [
    { text: `# ${inlineText(epic.title)}` },
    { text: `<${options.url}>` },
    { text: facts },
    { noun: "Description", outside: epic.description ?? "" },
    ...(await issueParts(db, epic.project_id, { epic_id: String(epic.id) }, options)),
    ...(await commentParts(db, target)),
  ];
  return writeMarkdown(parts, options.budget);
}

/** A sprint with its issues. */
export async function sprintMarkdown(db: Db, sprint: Sprint, options: Options): Promise<string> {
  const facts = factList([
    ["State", sprint.state],
    ["Starts", sprint.starts_on],
    ["Ends", sprint.ends_on],
    ["Capacity in issues", sprint.capacity_issues],
    ["Capacity in minutes", sprint.capacity_minutes],
  ]);
  const parts: Part[] = [
    { text: `# ${inlineText(sprint.name)}` },
    { text: `<${options.url}>` },
    { text: facts },
    { noun: "Goal", outside: sprint.goal ?? "" },
    ...(await issueParts(db, sprint.project_id, { sprint_id: String(sprint.id) }, options)),
  ];
  return writeMarkdown(parts, options.budget);
}

/** The issues that match the filter, with their lanes, newest first. None for a reader who may not read issues. */
async function issueParts(
  db: Db,
  projectId: number,
  filter: { epic_id: string } | { sprint_id: string },
  { issuesFor }: Options,
): Promise<Part[]> {
  if (issuesFor === undefined) return [];
  const query = { ...issueFilters.parse(filter), limit: MAX_ISSUES };
  const { data, meta } = await listIssues(db, projectId, issuesFor, query);
  if (data.length === 0) return [];
  const laneIds = [...new Set(data.map(({ lane_id }) => lane_id))].sort((a, b) => a - b);
  const names = await readNames(db, projectId, "lanes", laneIds);
  const items = data.map(({ key, title, lane_id }) => ({
    heading: `- ${inlineText(`${key}: ${title} (${names[laneIds.indexOf(lane_id)]})`)}`,
    outside: "",
  }));
  const more =
    meta.next_cursor === null ? [] : [{ text: `Only the newest ${MAX_ISSUES} issues are listed.` }];
  return [{ text: "## Issues" }, { nouns: "issues", total: items.length, items }, ...more];
}
