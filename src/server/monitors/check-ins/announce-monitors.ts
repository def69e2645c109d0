import type { Db, Tx } from "../../db/connect.ts";
import { announce } from "../../record/live-changes.ts";

/** Announces that monitors or their check-ins have changed. */
export const announceMonitors = (
  tx: Tx | Db,
  monitors: { id: number; project_id: number }[],
): Promise<void> =>
  announce(
    tx,
    monitors.map(({ id, project_id }) => ({ kind: "monitor", id, project_id })),
  );
