import type { Comment } from "../../../src/shared/comments.ts";
import type { Issue } from "../../../src/shared/issues.ts";
import type { Lane } from "../../../src/shared/lanes.ts";
import { readStdin } from "../ask.ts";
import { LIMIT, type Command } from "../command.ts";
import { paint, writeFields, writeJson, writeLine, writtenTime } from "../output.ts";
import { oneLine, severalLines } from "../terminal-text.ts";
import { writeList } from "../write-list.ts";
import { findAssigneeId, findLabelIds, findLane, issuePaths, readDescription } from "./issue-references.ts";

const TYPES = ["feature", "bug"] as const;
const PRIORITIES = ["highest", "high", "medium", "low", "lowest"] as const;

const create: Command = {
  name: "issue create",
  summary: "Create an issue",
  arguments: ["TITLE"],
  options: {
    description: { type: "string", short: "d", value: "TEXT", help: "Markdown" },
    "description-file": {
      type: "string",
      value: "FILE",
      help: "a file with the description, or - for stdin",
    },
    type: { type: "string", value: "TYPE", help: "feature unless given", choices: TYPES },
    priority: { type: "string", value: "PRIORITY", help: "medium unless given", choices: PRIORITIES },
    lane: { type: "string", value: "NAME", help: "a lane of the board; the first one unless given" },
    assignee: { type: "string", value: "USERNAME", help: "a username, or me" },
    label: { type: "string", value: "NAME", help: "may be given several times", multiple: true },
  },
  fields: { title: "TITLE" },
  async run(context) {
    const { words, api, choice, text, texts, projectPath, json } = context;
    const project = projectPath();
    const type = choice("type", TYPES);
    const priority = choice("priority", PRIORITIES);
    const lane = text("lane");
    const assignee = text("assignee");
    const issue = await api().post<Issue>(`${project}/issues`, {
      title: words[0],
      description: await readDescription(context),
      type: type && TYPES.indexOf(type),
      priority: priority && PRIORITIES.indexOf(priority),
      lane_id: lane && (await findLane(context, project, lane)).id,
      assignee_id: assignee && (await findAssigneeId(context, project, assignee)),
      label_ids: await findLabelIds(context, project, texts("label")),
    });
    if (json) return writeJson(issue);
    writeLine(`${issue.key} ${api().server.url}${project}/issues/${issue.key}`);
  },
};

const list: Command = {
  name: "issue list",
  summary: "List issues, the newest first",
  options: {
    lane: { type: "string", value: "NAME", help: "those in a lane of the project" },
    assignee: { type: "string", value: "USERNAME", help: "a username, me or none" },
    query: { type: "string", value: "TEXT", help: "words of the title or description" },
    closed: { type: "boolean", help: "closed issues instead of open ones" },
    all: { type: "boolean", help: "open and closed issues" },
    ...LIMIT,
  },
  async run(context) {
    const { api, text, flag, limit, knownProject, projectPath, json } = context;
    const lane = text("lane");
    const assignee = text("assignee");
    const isWord = assignee === "me" || assignee === "none";
    const issues = await api().list<Issue>(
      knownProject() === undefined ? "/issues" : `${projectPath()}/issues`,
      {
        lane_id: lane && (await findLane(context, projectPath(), lane)).id,
        // All issues in a lane are closed, or all are open.
        closed: flag("all") || lane !== undefined ? undefined : flag("closed"),
        assignee_id: assignee && (isWord ? assignee : await findAssigneeId(context, projectPath(), assignee)),
        query: text("query"),
        sort: "-created_at",
      },
      limit(),
    );
    writeList(issues, json, [
      { name: "KEY", text: ({ key }) => key },
      { name: "TYPE", text: ({ type }) => TYPES[type] },
      { name: "PRIORITY", text: ({ priority }) => PRIORITIES[priority] ?? "" },
      { name: "STATE", text: ({ closed_at }) => (closed_at === null ? "open" : "closed") },
      { name: "UPDATED", text: ({ updated_at }) => writtenTime(updated_at) },
      { name: "TITLE", text: ({ title }) => title },
    ]);
  },
};

const view: Command = {
  name: "issue view",
  summary: "Show an issue with its comments",
  arguments: ["KEY"],
  async run(context) {
    const api = context.api();
    const paths = issuePaths(context);
    const issue = await api.get<Issue>(paths.issue);
    if (context.json) return writeJson(issue);
    const lanes = await api.list<Lane>(`${paths.project}/lanes`, {}, Infinity);
    const comments = await api.list<Comment>(`${paths.issue}/comments`, {}, Infinity);
    writeIssue(issue, lanes.rows, comments.rows);
  },
};

const comment: Command = {
  name: "issue comment",
  summary: "Comment on an issue",
  arguments: ["KEY", "TEXT"],
  fields: { content: "TEXT" },
  async run(context) {
    const [, text = ""] = context.words;
    const content = text === "-" ? await readStdin() : text;
    const written = await context.api().post<Comment>(`${issuePaths(context).issue}/comments`, { content });
    if (context.json) return writeJson(written);
    writeLine(`Comment ${written.id} added.`);
  },
};

const move: Command = {
  name: "issue move",
  summary: "Move an issue to the top of a lane",
  arguments: ["KEY", "LANE"],
  async run(context) {
    const paths = issuePaths(context);
    const lane = await findLane(context, paths.project, context.words[1] ?? "");
    const issue = await context.api().post<Issue>(`${paths.issue}/move`, { lane_id: lane.id });
    if (context.json) return writeJson(issue);
    writeLine(oneLine(`${issue.key} is now in ${lane.name}: ${issue.title}`));
  },
};

export const issueCommands = [list, view, create, comment, move];

function writeIssue(issue: Issue, lanes: Lane[], comments: Comment[]) {
  writeLine(paint("bold", oneLine(`${issue.key} ${issue.title}`)));
  writeFields([
    ["type", TYPES[issue.type]],
    ["priority", PRIORITIES[issue.priority]],
    ["lane", lanes.find(({ id }) => id === issue.lane_id)?.name],
    ["due", issue.due_on],
    ["errors", issue.error_group_ids.join(", ")],
    ["reports", issue.report_ids.join(", ")],
    ["created", writtenTime(issue.created_at)],
    ["closed", issue.closed_at && writtenTime(issue.closed_at)],
  ]);
  if (issue.description !== null) writeLine(`\n${severalLines(issue.description)}`);
  for (const { author_name, user_id, created_at, content } of comments) {
    const author = author_name ?? (user_id === null ? "someone" : `user ${user_id}`);
    writeLine(`\n${paint("dim", oneLine(`${author}, ${writtenTime(created_at)}:`))}`);
    writeLine(severalLines(content));
  }
}
