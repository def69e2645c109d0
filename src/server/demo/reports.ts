import { sql } from "kysely";
import type { Tx } from "../db/connect.ts";
import { ranksBehind } from "../work/ranks/rank.ts";
import type { DrawnFile } from "./draw-pictures.ts";
import type { DemoErrorGroup } from "./error-groups.ts";
import type { DemoIssue, IssueSeed } from "./issues.ts";
import { at, DAY, HOUR, MINUTE } from "./times.ts";
import type { DemoPerson } from "./people.ts";
import type { Random } from "./samples/seeded-random.ts";
import { kindOf, originAt } from "./samples/report-origins.ts";
import { NOTES, reportTexts, type ReportText } from "./samples/report-texts.ts";
import type { ProjectSetup } from "./workspace.ts";

/** A report before its issue exists. `seed` is the index of the seed that becomes its issue. */
export type ReportDraft = ReportText & {
  createdAt: number;
  creator: DemoPerson | undefined;
  seed: number | undefined;
  dismissedAt: number | undefined;
  /** The error that it came with, and its event. */
  error?: { group: DemoErrorGroup; event_id: string };
  email?: string;
};
export type DemoReport = ReportDraft & { id: number; setup: ProjectSetup };

/**
 * A third of the reports is active, a third promoted (some of them together), and a third dismissed. In addition, those that
 * came with the errors of stories.
 */
export function draftReports(
  setup: ProjectSetup,
  { count, groups, now, random }: { count: number; groups: DemoErrorGroup[]; now: number; random: Random },
): { drafts: ReportDraft[]; seeds: IssueSeed[] } {
  const seeds: IssueSeed[] = [];
  const ofErrors = groups.flatMap(reportsOfError);
  const own = Math.max(0, count - ofErrors.length);
  const drafts = reportTexts(setup.template.screens, own, random).map((text, index): ReportDraft => {
    const isActive = index % 3 === 0;
    const createdAt = now - HOUR - Math.floor(random.fraction() * (isActive ? 12 : 70) * DAY);
    const creator = random.chance(0.4) ? random.pick(setup.people) : undefined;
    const closedAt = createdAt + Math.floor(random.fraction() * Math.min(4 * DAY, now - createdAt));
    const base = {
      ...text,
      createdAt,
      creator,
      seed: undefined,
      dismissedAt: undefined,
      ...(!creator && index % 2 === 0 && { email: emailOf(text) }),
    };
    if (isActive) return base;
    if (index % 3 === 2) return { ...base, dismissedAt: closedAt };
    const last = seeds.at(-1);
    // Promoted together with the previous report, so not before both were created.
    if (last && random.chance(0.2)) last.createdAt = Math.max(last.createdAt, createdAt);
    else
      seeds.push({
        title: text.title,
        description: `> ${text.description.replaceAll("\n", "\n> ")}`,
        type: random.chance(0.6) ? 1 : 0,
        createdAt: closedAt,
      });
    return { ...base, seed: seeds.length - 1 };
  });
  return { drafts: [...drafts, ...ofErrors], seeds };
}

const emailOf = ({ author }: ReportText) => `${author.split(" ")[0]?.toLowerCase()}@customers.example`;

/** A few minutes after the first events, which are older than the issue. */
function reportsOfError(group: DemoErrorGroup): ReportDraft[] {
  const { story, events, isMerged } = group;
  if (!story?.reports || isMerged) return [];
  // Reports of an error that is not fixed yet are recent.
  const of = story.fate === "fixed" ? events : events.slice(-story.reports.length);
  return story.reports.flatMap((text, index) => {
    const event = of[index];
    return event
      ? {
          ...text,
          createdAt: event.at + (2 + index) * MINUTE,
          creator: undefined,
          seed: undefined,
          dismissedAt: undefined,
          error: { group, event_id: event.event_id },
          email: emailOf(text),
        }
      : [];
  });
}

export async function makeReports(
  tx: Tx,
  setup: ProjectSetup,
  { drafts, issues, random }: { drafts: ReportDraft[]; issues: DemoIssue[]; random: Random },
): Promise<DemoReport[]> {
  if (drafts.length === 0) return [];
  const inTime = drafts.toSorted((a, b) => a.createdAt - b.createdAt);
  const ranks = random.shuffled(ranksBehind(null, drafts.length));
  const rows = await tx
    .insertInto("reports")
    .values(
      inTime.map((draft, index) => {
        const issue = draft.error?.group.issue ?? (draft.seed === undefined ? undefined : issues[draft.seed]);
        const reason = random.pick(Object.keys(NOTES));
        return {
          project_id: setup.project.id,
          title: draft.title,
          description: draft.description,
          source: draft.creator ? 0 : 1,
          author_name: draft.creator ? null : draft.author,
          author_email: draft.email ?? null,
          kind: draft.creator ? null : kindOf(draft.title),
          origin: draft.creator ? null : JSON.stringify(originAt(index)),
          error_group_id: draft.error?.group.id ?? null,
          error_event_id: draft.error?.event_id ?? null,
          created_by: draft.creator?.id ?? null,
          rank: ranks[index] as string,
          promoted_issue_id: issue?.id ?? null,
          promoted_at: issue ? at(issue.createdAt) : null,
          dismissed_at: draft.dismissedAt === undefined ? null : at(draft.dismissedAt),
          dismiss_reason: draft.dismissedAt === undefined ? null : reason,
          dismiss_reason_note:
            draft.dismissedAt === undefined || random.chance(0.4) ? null : random.pick(NOTES[reason] ?? []),
          created_at: at(draft.createdAt),
          updated_at: at(draft.dismissedAt ?? issue?.createdAt ?? draft.createdAt),
        };
      }),
    )
    .returning("id")
    .execute();
  await keepEvents(tx, drafts);
  return inTime.map((draft, index) => ({ ...draft, setup, id: rows[index]?.id as number }));
}

/** Events that feedback refers to are kept longer than others. */
async function keepEvents(tx: Tx, drafts: ReportDraft[]) {
  for (const table of ["error_events", "error_group_details"])
    await sql`
      update ${sql.table(table)} e set has_feedback = true
      from unnest(${drafts.flatMap(({ error }) => error?.group.id ?? [])}::bigint[],
        ${drafts.flatMap(({ error }) => error?.event_id ?? [])}::uuid[]) as r (group_id, event_id)
      where e.group_id = r.group_id and e.event_id = r.event_id`.execute(tx);
}

/** File names as phones and computers assign them. */
const FILE_NAMES = ["Screenshot 2026-11-{n}", "IMG_20{n}", "screen-{n}", "photo_{n}", "cart-{n}"];

type Attaching = { reports: DemoReport[]; pictures: DrawnFile[]; uploaderId: number; random: Random };

/** Attaches one to three pictures each to random reports until all are used. */
export async function attachPictures(
  tx: Tx,
  { reports, pictures, uploaderId, random }: Attaching,
): Promise<void> {
  const left = [...pictures];
  const rows = random.shuffled(reports).flatMap((report) =>
    left.splice(0, random.pick([1, 1, 2, 3])).map(({ storage_key, size, sha256 }) => ({
      project_id: report.setup.project.id,
      report_id: report.id,
      user_id: report.creator?.id ?? uploaderId,
      filename: `${random.pick(FILE_NAMES).replace("{n}", String(random.integer(10, 99)))}.webp`,
      mime_type: "image/webp",
      size,
      sha256,
      storage_key,
      created_at: at(report.createdAt),
    })),
  );
  if (rows.length > 0) await tx.insertInto("attachments").values(rows).execute();
}
