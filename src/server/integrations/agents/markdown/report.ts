import type { Report } from "../../../../shared/reports.ts";
import type { Db } from "../../../db/connect.ts";
import { commentParts } from "./comments.ts";
import { factList, joined, type Fact } from "./facts.ts";
import { readNames, readPeople } from "./read-names.ts";
import { writeMarkdown, type Budget, type Part } from "./write-markdown.ts";

type Options = { url: string; budget: Budget; withComments: boolean };

/** A report with its comments. Its title is from outside like its description. */
export async function reportMarkdown(
  db: Db,
  report: Report,
  { url, budget, withComments }: Options,
): Promise<string> {
  const target = { project_id: report.project_id, kind: "report", id: report.id } as const;
  const parts: Part[] = [
    { text: `# Report ${report.id}` },
    { text: `<${url}>` },
    { noun: "Title", outside: report.title },
    { text: factList(await factsOf(db, report)) },
    { noun: "Description", outside: report.description },
    ...(withComments ? await commentParts(db, target) : []),
  ];
  return writeMarkdown(parts, budget);
}

async function factsOf(db: Db, report: Report): Promise<Fact[]> {
  const { origin } = report;
  const people = await readPeople(db, [report.created_by]);
  return [
    ["State", stateOf(report)],
    ["Note", report.dismiss_reason_note],
    ["Kind", report.kind],
    ["Author", people.get(report.created_by ?? 0) ?? report.author_name],
    ["Voices", report.voices],
    ["Issue", joined(await readNames(db, report.project_id, "issues", [report.promoted_issue_id]))],
    ["Errors", joined(report.error_group_ids)],
    ["Duplicates", joined(report.duplicate_report_ids)],
    ["Page", origin?.page],
    ["Browser", origin?.browser],
    ["Release", origin?.release],
    ["Environment", origin?.environment],
    ["Attachments", report.attachments_count || null],
    ["Created", report.created_at],
    ["Updated", report.updated_at],
  ];
}

function stateOf({ promoted_at, dismissed_at, dismiss_reason }: Report): string {
  if (promoted_at !== null) return "Promoted";
  return dismissed_at === null ? "Waiting" : `Dismissed (${dismiss_reason})`;
}
