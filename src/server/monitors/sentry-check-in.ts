import { isDeepStrictEqual } from "node:util";
import { batchedLookup } from "../db/batched-lookup.ts";
import type { Db } from "../db/connect.ts";
import { lockProject } from "../people/projects/lock-project.ts";
import type { CheckInOutcome } from "./check-ins/check-in.ts";
import type { SentMonitor, SentryCheckIn } from "./check-ins/read-sentry-check-in.ts";
import type { CheckIns } from "./check-ins/record-check-ins.ts";
import { insertMonitor, isFull } from "./create-monitor.ts";
import { readMonitorRow } from "./read-monitors.ts";
import { changeMonitor } from "./update-monitor.ts";

type NamedMonitor = { project_id: number; slug: string };
type KnownMonitor = NamedMonitor & SentMonitor & { id: number };

export type SentryCheckIns = {
  /**
   * Records a check-in, and creates or changes the monitor as it says. `unknown` if the project has no such monitor and the check-in
   * does not say how it is, or if the project has as many as it can have.
   */
  record(projectId: number, sent: SentryCheckIn): Promise<CheckInOutcome>;
};

export function openSentryCheckIns(db: Db, checkIns: CheckIns): SentryCheckIns {
  const find = batchedLookup((names: NamedMonitor[]) => findMonitors(db, names));
  return {
    record: async (project_id, { slug, checkIn, config }) => {
      const name = { project_id, slug };
      let monitor = await find(name);
      if (config && !(monitor && isAsSent(monitor, config))) {
        await storeConfig(db, name, config);
        monitor = await find(name);
      }
      return monitor ? checkIns.record({ ...checkIn, monitor }) : "unknown";
    },
  };
}

async function findMonitors(db: Db, names: NamedMonitor[]): Promise<(KnownMonitor | undefined)[]> {
  const rows = await db
    .selectFrom("monitors as m")
    .innerJoin("projects as p", "p.id", "m.project_id")
    .select(["m.id", "m.project_id", "m.slug", "m.schedule", "m.timezone", "m.margin_minutes"])
    .select(["m.max_runtime_minutes", "m.failure_threshold", "m.recovery_threshold"])
    .where("p.deleted_at", "is", null)
    .where((w) =>
      w.or(names.map(({ project_id, slug }) => w.and({ "m.project_id": project_id, "m.slug": slug }))),
    )
    .$castTo<KnownMonitor>()
    .execute();
  const byName = new Map(rows.map((row) => [`${row.project_id} ${row.slug}`, row]));
  return names.map(({ project_id, slug }) => byName.get(`${project_id} ${slug}`));
}

const isAsSent = (monitor: KnownMonitor, config: SentMonitor) =>
  Object.entries(config).every(
    ([field, value]) => value === undefined || isDeepStrictEqual(monitor[field as keyof SentMonitor], value),
  );

/** Audits nothing: the log is about what people do. */
async function storeConfig(db: Db, { project_id, slug }: NamedMonitor, config: SentMonitor): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockProject(tx, project_id);
    const exists = await tx
      .selectFrom("monitors")
      .select("id")
      .where("project_id", "=", project_id)
      .where("slug", "=", slug)
      .executeTakeFirst();
    if (exists) await changeMonitor(tx, project_id, await readMonitorRow(tx, project_id, slug), config);
    else if (!(await isFull(tx, project_id)))
      await insertMonitor(tx, project_id, { ...config, slug, name: slug });
  });
}
