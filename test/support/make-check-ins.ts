import type { CheckInStatus } from "../../src/shared/monitors.ts";
import type { Db } from "../../src/server/db/connect.ts";

type TestCheckIn = { status: CheckInStatus; startedAt: Date; duration?: number; text?: string };

/** Stores check-ins of a monitor's environment `production`, with any age, which the routes do not accept. */
export async function makeCheckIns(
  db: Db,
  { projectId, slug }: { projectId: number; slug: string },
  checkIns: readonly TestCheckIn[],
): Promise<void> {
  const monitor = await db
    .selectFrom("monitors")
    .select("id")
    .where("project_id", "=", projectId)
    .where("slug", "=", slug)
    .executeTakeFirstOrThrow();
  const last = checkIns.at(-1)?.startedAt.toISOString() ?? null;
  const environment = await db
    .insertInto("monitor_environments")
    .values({ monitor_id: monitor.id, name: "production", status: "ok", last_check_in_at: last })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("monitor_check_ins")
    .values(
      checkIns.map(({ status, startedAt, duration = null, text = null }) => ({
        monitor_id: monitor.id,
        environment_id: environment.id,
        status,
        duration,
        text,
        started_at: startedAt.toISOString(),
        finished_at: duration === null ? null : new Date(startedAt.getTime() + duration * 1000).toISOString(),
      })),
    )
    .execute();
}
