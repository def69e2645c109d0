import type { ErrorGroup, ErrorGroupListItem } from "../../../src/shared/error-groups.ts";
import { LIMIT, type Command } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure, wrongUsage } from "../failure.ts";
import { paint, writeFields, writeJson, writeLine, writtenTime } from "../output.ts";
import { oneLine, severalLines } from "../terminal-text.ts";
import { writeList } from "../write-list.ts";

const STATUSES = ["open", "resolved", "ignored"] as const;

const list: Command = {
  name: "errors",
  summary: "List errors, those seen last first",
  options: {
    status: { type: "string", value: "STATUS", help: "open unless given", choices: [...STATUSES, "all"] },
    release: { type: "string", value: "VERSION", help: "those that occurred in the release" },
    environment: { type: "string", value: "NAME", help: "those of the environment" },
    assignee: { type: "string", value: "ID", help: "a user's id, me or none" },
    query: { type: "string", value: "TEXT", help: "a text of the class, message, route, function or file" },
    sort: {
      type: "string",
      value: "ORDER",
      help: "last_seen unless given",
      choices: ["last_seen", "first_seen", "events", "users", "impact"],
    },
    ...LIMIT,
  },
  async run({ api, choice, text, limit, knownProject, json }) {
    const status = choice("status", [...STATUSES, "all"]) ?? "open";
    const project = knownProject();
    const groups = await api().list<ErrorGroupListItem>(
      project === undefined ? "/error-groups" : `/projects/${project}/error-groups`,
      {
        status: status === "all" ? undefined : STATUSES.indexOf(status),
        release: text("release"),
        environment: text("environment"),
        assignee_id: text("assignee"),
        query: text("query"),
        sort: text("sort"),
      },
      limit(),
    );
    writeList(groups, json, [
      { name: "ID", text: ({ id }) => String(id) },
      { name: "STATUS", text: statusOf, color: statusColor },
      { name: "EVENTS", text: ({ occurrence_count }) => String(occurrence_count) },
      { name: "USERS", text: ({ affected_users }) => String(affected_users ?? "") },
      { name: "LAST SEEN", text: ({ last_seen_at }) => writtenTime(last_seen_at) },
      { name: "ERROR", text: titleOf },
    ]);
  },
};

const view: Command = {
  name: "error",
  summary: "Show an error with its latest stack trace",
  arguments: ["ID"],
  async run(context) {
    const group = await context.api().get<ErrorGroup>(await findErrorPath(context));
    if (context.json) return writeJson(group);
    writeError(group);
  },
};

export const errorCommands = [list, view];

/** The path of an error, whatever its project is. The id may be written as in commits: SIGNALBOX-E42. */
export async function findErrorPath({ words: [text = ""], api, knownProject }: Context): Promise<string> {
  const [, id] = /^(?:SIGNALBOX-)?E?([0-9]{1,15})$/i.exec(text) ?? [];
  if (id === undefined) throw wrongUsage("ID must be the number of an error, such as 42.");
  const { rows } = await api().list<ErrorGroupListItem>("/error-groups", { ids: id }, 1);
  // The project's own route says what became of an error that was merged.
  const project = rows[0]?.project_id ?? knownProject();
  if (project === undefined)
    throw new Failure(EXIT.notFound, `There is no error ${id} that this token may read.`);
  return `/projects/${project}/error-groups/${id}`;
}

/** What lists and details share. */
type Shown = Pick<ErrorGroup, "id" | "status" | "regressed_at" | "exception_class" | "latest_message">;

const statusOf = ({ status, regressed_at }: Shown) =>
  regressed_at !== null ? "regressed" : (STATUSES[status] ?? "");

const statusColor = ({ status, regressed_at }: Shown) =>
  regressed_at !== null ? "red" : ([undefined, "green", "dim"] as const)[status];

const titleOf = ({ exception_class, latest_message }: Shown) =>
  latest_message === "" ? exception_class : `${exception_class}: ${latest_message}`;

/** One line for a change of the status. */
export const describeStatus = (group: Shown) => `Error ${group.id} is ${statusOf(group)}: ${titleOf(group)}`;

function writeError(group: ErrorGroup) {
  writeLine(paint("bold", oneLine(titleOf(group))));
  writeFields([
    ["id", group.id],
    ["status", statusOf(group)],
    ["environment", group.environment],
    ["where", group.context_label],
    ["events", group.occurrence_count],
    ["users", group.affected_users],
    ["first seen", writtenTime(group.first_seen_at)],
    ["last seen", writtenTime(group.last_seen_at)],
    ["first release", group.release],
    ["last release", group.last_release],
  ]);
  if (group.latest_stack_trace !== "") writeLine(`\n${severalLines(group.latest_stack_trace)}`);
  for (const { exception_class, message, stack_trace } of group.previous_exceptions)
    writeLine(`\n${severalLines(`Previous: ${exception_class}: ${message}\n${stack_trace}`)}`);
}
