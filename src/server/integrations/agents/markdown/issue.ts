import { BUG, type Issue } from "../../../../shared/issues.ts";
import { inlineText } from "../../../../shared/markdown/fenced.ts";
import type { Db } from "../../../db/connect.ts";
import { commentParts } from "./comments.ts";
import { factList, joined, type Fact } from "./facts.ts";
import { readNames, readPeople } from "./read-names.ts";
import { writeMarkdown, type Budget, type Part } from "./write-markdown.ts";

const PRIORITIES = ["Highest", "High", "Medium", "Low", "Lowest"];

type Options = {
  url: string;
  budget: Budget;
  /** Whether the reader may see the title of the issue's epic. */
  withEpic: boolean;
};

/** An issue with its description, development and comments. */
export async function issueMarkdown(
  db: Db,
  issue: Issue,
  { url, budget, withEpic }: Options,
): Promise<string> {
  const target = { project_id: issue.project_id, kind: "issue", id: issue.id } as const;
  const parts: Part[] = [
    { text: `# ${inlineText(`${issue.key}: ${issue.title}`)}` },
    { text: `<${url}>` },
    { text: factList(await factsOf(db, issue, withEpic)) },
    { noun: "Description", outside: issue.description ?? "" },
    ...(issue.git_links.length === 0 ? [] : [{ text: developmentOf(issue) }]),
    ...(await commentParts(db, target)),
  ];
  return writeMarkdown(parts, budget);
}

async function factsOf(db: Db, issue: Issue, withEpic: boolean): Promise<Fact[]> {
  const names = (kind: Parameters<typeof readNames>[2], ids: (number | null)[]) =>
    readNames(db, issue.project_id, kind, ids);
  const issues = async (ids: (number | null)[]) => joined(await names("issues", ids));
  const people = await readPeople(db, [issue.assignee_id, issue.created_by]);
  return [
    ["Type", issue.type === BUG ? "Bug" : "Feature"],
    ["Priority", PRIORITIES[issue.priority]],
    ["Lane", joined(await names("lanes", [issue.lane_id]))],
    ["Labels", joined(await names("labels", issue.label_ids))],
    ["Assignee", people.get(issue.assignee_id ?? 0)],
    ["Created by", people.get(issue.created_by ?? 0)],
    ["Sprint", joined(await names("sprints", [issue.sprint_id]))],
    ["Epic", withEpic ? joined(await names("epics", [issue.epic_id])) : null],
    ["Due", issue.due_on],
    ["Part of", await issues([issue.parent_id])],
    ["Duplicate of", await issues([issue.duplicate_of_id])],
    ["Blocked by", await issues(issue.blocked_by_ids)],
    ["Blocks", await issues(issue.blocks_ids)],
    ["Related to", await issues(issue.relates_to_ids)],
    ["Errors", joined(issue.error_group_ids)],
    ["Reports", joined(issue.report_ids)],
    ["Attachments", joined(issue.attachments.map(({ filename }) => filename))],
    ["Created", issue.created_at],
    ["Updated", issue.updated_at],
    ["Closed", issue.closed_at],
  ];
}

const developmentOf = ({ git_links }: Issue): string =>
  [
    "## Development",
    ...git_links.map(({ kind, repository, ref, title, state, release }) => {
      const facts = joined([state ?? kind, ...(release === null ? [] : [`released in ${release}`])]);
      return `- ${inlineText(`${repository} ${kind === "commit" ? ref.slice(0, 12) : `#${ref}`}: ${title} (${facts})`)}`;
    }),
  ].join("\n");
