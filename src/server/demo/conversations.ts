import type { Tx } from "../db/connect.ts";
import type { DemoReport } from "./reports.ts";
import { CONVERSATIONS } from "./samples/conversations.ts";
import { at, HOUR, MINUTE } from "./times.ts";
import type { ProjectSetup } from "./workspace.ts";

/**
 * Subscribes the authors of reports from outside who left an address, most of them confirmed, and lets every other one talk to the
 * team on the status page of the report. No emails are queued.
 */
export async function makeConversations(
  tx: Tx,
  { project, people }: ProjectSetup,
  { reports, now }: { reports: DemoReport[]; now: number },
): Promise<void> {
  const ofAuthors = reports.flatMap(({ email, ...report }) =>
    email === undefined ? [] : [{ email, ...report }],
  );
  if (ofAuthors.length === 0) return;
  const subscriptions = ofAuthors.map(({ id, email, createdAt }, index) => ({
    report_id: id,
    email,
    confirmed_at: isConfirmed(index) ? at(createdAt + Math.min(4 * MINUTE, (now - createdAt) / 4)) : null,
    requested_at: at(createdAt),
    created_at: at(createdAt),
  }));
  await tx.insertInto("report_subscriptions").values(subscriptions).execute();
  await tx
    .updateTable("reports")
    .set({ author_email_confirmed: true })
    .where(
      "id",
      "in",
      subscriptions.flatMap((each) => (each.confirmed_at === null ? [] : [each.report_id])),
    )
    .execute();
  const messages = ofAuthors
    .filter((_report, index) => index % 2 === 0)
    .flatMap((report, index) =>
      (CONVERSATIONS[index % CONVERSATIONS.length] ?? []).map((content, turn) => ({
        project_id: project.id,
        report_id: report.id,
        user_id: turn % 2 === 0 ? null : (people[index % people.length]?.id ?? null),
        author_name: turn % 2 === 0 ? report.author : null,
        content,
        is_public: true,
        created_at: at(report.createdAt + (turn + 1) * Math.min(3 * HOUR, (now - report.createdAt) / 4)),
      })),
    );
  await tx.insertInto("comments").values(messages).execute();
}

const isConfirmed = (index: number) => index % 4 !== 3;
