import type { Report } from "../../../src/shared/reports.ts";
import { LIMIT, type Command } from "../command.ts";
import type { Context } from "../context.ts";
import { wrongUsage } from "../failure.ts";
import { paint, writeFields, writeJson, writeLine, writtenTime } from "../output.ts";
import { oneLine, severalLines } from "../terminal-text.ts";
import { writeList } from "../write-list.ts";

const VIEWS = ["active", "promoted", "dismissed", "all"] as const;
const REASONS = ["not-planned", "duplicate", "already-shipped", "invalid"] as const;

const list: Command = {
  name: "reports",
  summary: "List the reports of a project, in the order of the queue",
  options: {
    view: { type: "string", value: "VIEW", help: "active unless given", choices: VIEWS },
    query: { type: "string", value: "TEXT", help: "beginnings of words of the title or description" },
    ...LIMIT,
  },
  async run({ api, choice, text, limit, projectPath, json }) {
    const view = choice("view", VIEWS) ?? "active";
    const query = { view: view === "all" ? undefined : view, query: text("query") };
    const reports = await api().list<Report>(`${projectPath()}/reports`, query, limit());
    writeList(reports, json, [
      { name: "ID", text: ({ id }) => String(id) },
      { name: "STATE", text: stateOf },
      { name: "VOICES", text: ({ voices }) => String(voices) },
      { name: "CREATED", text: ({ created_at }) => writtenTime(created_at) },
      { name: "TITLE", text: ({ title }) => title },
    ]);
  },
};

const view: Command = {
  name: "report",
  summary: "Show a report",
  arguments: ["ID"],
  async run(context) {
    const report = await context.api().get<Report>(reportPath(context));
    if (context.json) return writeJson(report);
    writeLine(paint("bold", oneLine(report.title)));
    writeFields([
      ["id", report.id],
      ["state", stateOf(report)],
      ["reason", report.dismiss_reason],
      ["author", report.author_name ?? report.author_email],
      ["voices", report.voices],
      ["created", writtenTime(report.created_at)],
      ["page", report.origin?.page],
      ["errors", report.error_group_ids.join(", ")],
    ]);
    writeLine(`\n${severalLines(report.description)}`);
  },
};

const dismiss: Command = {
  name: "report dismiss",
  summary: "Dismiss a report",
  arguments: ["ID"],
  options: {
    reason: { type: "string", value: "REASON", help: "required", choices: REASONS },
    note: { type: "string", value: "TEXT", help: "a note for the team" },
  },
  fields: { category: "--reason" },
  async run(context) {
    context.required("reason");
    const body = { category: context.choice("reason", REASONS), note: context.text("note") };
    const report = await context.api().post<Report>(`${reportPath(context)}/dismiss`, body);
    if (context.json) return writeJson(report);
    writeLine(oneLine(`Report ${report.id} is dismissed: ${report.title}`));
  },
};

const promote: Command = {
  name: "report promote",
  summary: "Create an issue from a report, or add the report to an issue",
  arguments: ["ID"],
  options: {
    issue: { type: "string", value: "KEY", help: "an issue that exists" },
    title: {
      type: "string",
      value: "TEXT",
      help: "the title of the new issue; that of the report unless given",
    },
  },
  async run(context) {
    const issue = context.text("issue");
    const title = context.text("title");
    if (issue !== undefined && title !== undefined) throw wrongUsage("Give either --issue or --title.");
    const report = await context.api().get<Report>(reportPath(context));
    const reports = `${context.projectPath()}/reports`;
    const report_ids = [report.id];
    const [promoted] =
      issue === undefined
        ? await context.api().post<Report[]>(`${reports}/promote`, {
            report_ids,
            title: title ?? report.title,
            description: report.description,
          })
        : await context.api().post<Report[]>(`${reports}/link`, { report_ids, issue });
    if (context.json) return writeJson(promoted);
    writeLine(
      oneLine(`Report ${report.id} is promoted to issue ${promoted?.promoted_issue_id}: ${report.title}`),
    );
  },
};

export const reportCommands = [list, view, dismiss, promote];

function reportPath({ words: [id = ""], projectPath }: Context): string {
  if (!/^[0-9]{1,15}$/.test(id)) throw wrongUsage("ID must be the number of a report, such as 12.");
  return `${projectPath()}/reports/${id}`;
}

const stateOf = ({ promoted_at, dismissed_at }: Report) =>
  promoted_at !== null ? "promoted" : dismissed_at === null ? "active" : "dismissed";
