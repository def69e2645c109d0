import type { Tx } from "../db/connect.ts";
import { nextTime, nextTimes, type Scheduled } from "../monitors/schedule/next-time.ts";
import { at, DAY, MINUTE } from "./times.ts";

/** A job of the demo. It runs rarely, so that it is not missed while somebody looks at the demo. */
type DemoMonitor = {
  slug: string;
  name: string;
  scheduled: Scheduled;
  /** Minutes that it takes. */
  minutes: number;
  /** How many runs before the last one failed, if one did. Two in a row would be an error. */
  failed?: number;
};

const daily = (time: string): Scheduled => ({
  schedule: { type: "crontab", value: `${time} * * *` },
  timezone: "Europe/Berlin",
});

const MONITORS: DemoMonitor[] = [
  { slug: "nightly-backup", name: "Nightly backup", scheduled: daily("0 2"), minutes: 11, failed: 6 },
  { slug: "price-import", name: "Import of prices", scheduled: daily("30 4"), minutes: 3 },
  {
    slug: "weekly-report",
    name: "Weekly report",
    scheduled: { schedule: { type: "crontab", value: "0 6 * * MON" }, timezone: "Europe/Berlin" },
    minutes: 1,
  },
];

/** How long the jobs have been monitored. Check-ins are kept for 90 days. */
const MONITORED = 60 * DAY;
const FAILURE_THRESHOLD = 2;

/** Jobs of the project that have run as scheduled, but for one failure. */
export async function makeMonitors(tx: Tx, projectId: number, now: number): Promise<void> {
  for (const monitor of MONITORS) await makeMonitor(tx, projectId, monitor, now);
}

async function makeMonitor(tx: Tx, projectId: number, monitor: DemoMonitor, now: number): Promise<void> {
  const { slug, name, scheduled, minutes, failed } = monitor;
  const times = runsUntil(now - (minutes + 1) * MINUTE, scheduled);
  const next = nextTime(scheduled, times.at(-1) ?? now);
  const { id } = await tx
    .insertInto("monitors")
    .values({
      project_id: projectId,
      slug,
      name,
      schedule: JSON.stringify(scheduled.schedule),
      timezone: scheduled.timezone,
      margin_minutes: MARGIN_MINUTES,
      failure_threshold: FAILURE_THRESHOLD,
      created_at: at(now - MONITORED),
      updated_at: at(now - MONITORED),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const environment = await tx
    .insertInto("monitor_environments")
    .values({
      monitor_id: id,
      name: "production",
      status: "ok",
      last_check_in_at: at((times.at(-1) ?? now) + minutes * MINUTE),
      next_due_at: at(next),
      missed_at: at(next + MARGIN_MINUTES * MINUTE),
      good_count: failed ?? times.length,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const checkIns = times.map((time, n) => {
    const seconds = minutes * 60 + ((n * 37) % 60);
    return {
      monitor_id: id,
      environment_id: environment.id,
      status: times.length - 1 - n === failed ? "error" : "ok",
      duration: seconds,
      started_at: at(time),
      finished_at: at(time + seconds * 1_000),
      due_at: at(time),
    };
  });
  await tx.insertInto("monitor_check_ins").values(checkIns).execute();
}

const MARGIN_MINUTES = 30;

/** The scheduled times since monitoring began, up to this one. */
function runsUntil(end: number, scheduled: Scheduled): number[] {
  const since = end - MONITORED;
  return nextTimes(scheduled, since, MONITORED / DAY).filter((time) => time <= end);
}
