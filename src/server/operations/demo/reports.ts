import type { Tx } from "../../db/connect.ts";
import { ranksBehind } from "../../work/ranks/rank.ts";
import type { DrawnFile } from "./drawings.ts";
import type { DemoIssue, IssueSeed } from "./issues.ts";
import { at, DAY, HOUR } from "./moments.ts";
import type { DemoPerson } from "./people.ts";
import type { Random } from "./random.ts";
import { NOTES, reportTexts, type ReportText } from "./report-texts.ts";
import type { Place } from "./workspace.ts";

/** A report before its issue exists; `seed` is which of the seeds becomes its issue. */
export type ReportDraft = ReportText & {
  createdAt: number;
  creator: DemoPerson | undefined;
  seed: number | undefined;
  dismissedAt: number | undefined;
};
export type DemoReport = ReportDraft & { id: number; place: Place };

/** A third waits, a third was promoted (some of them together), the rest was dismissed. */
export function draftReports(
  place: Place,
  count: number,
  now: number,
  random: Random,
): { drafts: ReportDraft[]; seeds: IssueSeed[] } {
  const seeds: IssueSeed[] = [];
  const drafts = reportTexts(place.about.places, count, random).map((text, index): ReportDraft => {
    const isWaiting = index % 3 === 0;
    const createdAt = now - HOUR - Math.floor(random.fraction() * (isWaiting ? 12 : 70) * DAY);
    const creator = random.chance(0.4) ? random.pick(place.people) : undefined;
    const dealtAt = createdAt + Math.floor(random.fraction() * Math.min(4 * DAY, now - createdAt));
    const base = { ...text, createdAt, creator, seed: undefined, dismissedAt: undefined };
    if (isWaiting) return base;
    if (index % 3 === 2) return { ...base, dismissedAt: dealtAt };
    const last = seeds.at(-1);
    // Promoted together with the one before: not before either of them came in.
    if (last && random.chance(0.2)) last.createdAt = Math.max(last.createdAt, createdAt);
    else
      seeds.push({
        title: text.title,
        description: `> ${text.description.replaceAll("\n", "\n> ")}`,
        type: random.chance(0.6) ? 1 : 0,
        createdAt: dealtAt,
      });
    return { ...base, seed: seeds.length - 1 };
  });
  return { drafts, seeds };
}

export async function makeReports(
  tx: Tx,
  place: Place,
  drafts: ReportDraft[],
  issues: DemoIssue[],
  random: Random,
): Promise<DemoReport[]> {
  if (drafts.length === 0) return [];
  const inTime = drafts.toSorted((a, b) => a.createdAt - b.createdAt);
  const ranks = random.shuffled(ranksBehind(null, drafts.length));
  const rows = await tx
    .insertInto("reports")
    .values(
      inTime.map((draft, index) => {
        const issue = draft.seed === undefined ? undefined : issues[draft.seed];
        const reason = random.pick(Object.keys(NOTES));
        return {
          project_id: place.project.id,
          title: draft.title,
          description: draft.description,
          source: draft.creator ? 0 : 1,
          author_name: draft.creator ? null : draft.author,
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
  return inTime.map((draft, index) => ({ ...draft, place, id: rows[index]?.id as number }));
}

/** Files names as telephones and computers give them. */
const FILE_NAMES = ["Screenshot 2026-11-{n}", "IMG_20{n}", "screen-{n}", "photo_{n}", "cart-{n}"];

/** One to three of the pictures for reports until there are no more. */
export async function attachPictures(
  tx: Tx,
  reports: DemoReport[],
  pictures: DrawnFile[],
  uploaderId: number,
  random: Random,
): Promise<void> {
  const left = [...pictures];
  const rows = random.shuffled(reports).flatMap((report) =>
    left.splice(0, random.pick([1, 1, 2, 3])).map(({ storage_key, size, sha256 }) => ({
      project_id: report.place.project.id,
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
