import type { Page as ApiPage } from "../../../../../shared/answers.ts";
import { BUG, type issueFilters, type Issue } from "../../../../../shared/issues.ts";
import type { Lane } from "../../../../../shared/lanes.ts";
import { inlineText } from "../../../../../shared/markdown/fenced.ts";
import { holds } from "../../../../access/project-access.ts";
import { READING } from "../../../../access/readable-kinds.ts";
import { issueMarkdown } from "../../markdown/issue.ts";
import { readPeople } from "../../markdown/read-names.ts";
import { cursor, filters, issue, limit, project, text } from "../calls/arguments.ts";
import { get, send, type Call } from "../calls/call.ts";
import { findIssue, findProject, type Project } from "../calls/find-objects.ts";
import { linkTo } from "../calls/links.ts";
import { writePage } from "../calls/page.ts";
import { readingTool, writingTool } from "../calls/tool.ts";
import { ToolError } from "../calls/tool-error.ts";
import { shortened, type Entry } from "../calls/write-list.ts";
import { changedIssueFields, newIssueFields } from "./issue-arguments.ts";

type Filter = Exclude<keyof typeof issueFilters.shape, "project_id">;

const FILTERS: Record<Filter, string> = {
  ids: "Only the issues with these ids, separated by commas.",
  assignee_id: "The id of the assignee, me, or none.",
  lane_id: "The id of a lane.",
  lane_kind: "backlog, todo, doing or done.",
  closed: "true or false: whether the issue is done.",
  type: "0: features, 1: bugs.",
  priority: "From 0 (highest) to 4 (lowest).",
  epic_id: "The id of an epic, or none.",
  sprint_id: "The id of a sprint, or none.",
  label_id: "The id of a label.",
  parent_id: "The id of the issue that they are parts of, or none.",
  duplicate_of_id: "The id of the issue that they duplicate.",
  due_before: "A date such as 2026-11-20: issues that are due before it.",
  query: "Words of the title or description.",
  sort: "created_at, updated_at, priority, rank or due_on; with a leading minus sign, in reverse. Default: -created_at.",
};

export const listIssues = readingTool({
  name: "list_issues",
  title: "List issues",
  description: "Lists a project's issues, newest first unless sorted otherwise.",
  input: { project, ...filters(FILTERS), cursor, limit },
  run: async (call, { project: ref, cursor, limit, ...query }) => {
    const inProject = await findProject(call, ref);
    const path = `/api/projects/${inProject.id}/issues`;
    const lanes = await readLanes(call, inProject);
    const { text, items, next } = await writePage<Issue>(call, {
      nouns: "issues",
      limit,
      cursor,
      most: 200,
      read: async (page) => {
        const { data, meta } = await get<ApiPage<Issue>>(call, path, { ...query, ...page });
        return { data, next: meta.next_cursor };
      },
      entriesOf: (issues) => entriesOf(call, inProject, issues, lanes),
    });
    const listed = items.map((item) => referenceTo(call, inProject, item));
    return { text, structured: { project_id: inProject.id, issues: listed, lanes, next_cursor: next } };
  },
});

export const getIssue = readingTool({
  name: "get_issue",
  title: "Read an issue",
  description: "Reads an issue with its description, relations, commits and comments.",
  input: { issue },
  run: async (call, { issue: ref }) => {
    const { project: inProject, item } = await findIssue(call, ref);
    return describeIssue(call, inProject, item);
  },
});

export const createIssue = writingTool({
  name: "create_issue",
  title: "Create an issue",
  description: "Creates an issue in a project. Use `similar` first to avoid duplicates.",
  input: { project, title: text("The title, one line."), ...newIssueFields },
  effect: { destructive: false, idempotent: false },
  run: async (call, { project: ref, ...fields }) => {
    const inProject = await findProject(call, ref);
    const item = await send<Issue>(call, "POST", `/api/projects/${inProject.id}/issues`, fields);
    return writtenIssue(call, inProject, item);
  },
});

export const updateIssue = writingTool({
  name: "update_issue",
  title: "Change an issue",
  description:
    "Changes fields of an issue. Fields that are not given stay as they are, a list replaces the previous one, and null clears a field that can be empty.",
  input: { issue, title: text("The title, one line.").optional(), ...changedIssueFields },
  effect: { destructive: true, idempotent: true },
  run: async (call, { issue: ref, ...fields }) => {
    const { project: inProject, path } = await findIssue(call, ref);
    if (Object.keys(fields).length === 0)
      throw new ToolError("Give at least one field to change, such as title.");
    return writtenIssue(call, inProject, await send<Issue>(call, "PATCH", path, fields));
  },
});

async function writtenIssue(call: Call, inProject: Project, item: Issue) {
  const answer = await describeIssue(call, inProject, item);
  const subject = { type: "issue" as const, id: item.id, name: item.key };
  return { ...answer, project_id: inProject.id, subject };
}

export async function describeIssue(call: Call, inProject: Project, item: Issue) {
  const reference = referenceTo(call, inProject, item);
  const withEpic = holds(inProject.access, READING.epic.needs);
  return {
    text: await issueMarkdown(call.db, item, { url: reference.url, budget: call.budget, withEpic }),
    structured: {
      ...reference,
      project_id: inProject.id,
      error_group_ids: item.error_group_ids,
      report_ids: item.report_ids,
      lanes: await readLanes(call, inProject),
    },
  };
}

type NamedLane = Pick<Lane, "id" | "name" | "kind">;

async function readLanes(call: Call, { id }: Project): Promise<NamedLane[]> {
  const { data } = await get<ApiPage<Lane>>(call, `/api/projects/${id}/lanes`, { limit: 200 });
  return data.map(({ id, name, kind }) => ({ id, name, kind }));
}

async function entriesOf(
  call: Call,
  inProject: Project,
  issues: Issue[],
  lanes: NamedLane[],
): Promise<Entry[]> {
  const laneOf = new Map(lanes.map(({ id, name }) => [id, name]));
  const people = await readPeople(
    call.db,
    issues.map(({ assignee_id }) => assignee_id),
  );
  return issues.map((item) => {
    const facts = [
      item.type === BUG ? "bug" : "feature",
      `priority ${item.priority}`,
      laneOf.get(item.lane_id),
      people.get(item.assignee_id ?? 0) ?? "unassigned",
    ].map((fact) => inlineText(fact ?? ""));
    const { url } = referenceTo(call, inProject, item);
    return {
      heading: `- ${item.key}: ${inlineText(shortened(item.title, 120))} (${facts.join(", ")}) <${url}>`,
    };
  });
}

const referenceTo = (call: Call, { key: projectKey }: Project, { id, key, lane_id, assignee_id }: Issue) => ({
  id,
  key,
  lane_id,
  assignee_id,
  url: linkTo(call, projectKey, `issues/${key}`),
});
