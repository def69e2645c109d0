import { sql } from "kysely";
import type { GitHost } from "../../../shared/git.ts";
import { isOutage } from "../../answers/outage.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { applyCheck } from "./apply-check.ts";
import { applyPush } from "./apply-push.ts";
import { applyRequest } from "./apply-request.ts";
import { readDelivery } from "./hosts/read-delivery.ts";
import type { Source } from "./source.ts";

/**
 * Processes stored deliveries in their order, each in one transaction with its effects, until none is left or the signal is aborted.
 * Several processes can call this: the project's lock lets one of them take each delivery. One that fails is kept with its
 * error; in an outage it is tried again.
 */
export async function processDeliveries(db: Db, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const next = await findNext(db);
    if (next === undefined) return;
    try {
      await db.transaction().execute((tx) => processDelivery(tx, next));
    } catch (error) {
      if (!(error instanceof Error) || isOutage(error)) throw error;
      await db
        .updateTable("git_deliveries")
        .set({ error: error.message.slice(0, MAX_ERROR), processed_at: sql`clock_timestamp()` })
        .where("id", "=", next.id)
        .where("processed_at", "is", null)
        .execute();
    }
  }
}

const MAX_ERROR = 1_000;

type Next = { id: number; project_id: number };

/** Deliveries of a deleted project wait, because it may be restored. */
async function findNext(db: Db): Promise<Next | undefined> {
  const { rows } = await sql<Next>`
    select d.id, c.project_id from git_deliveries d
    join git_connections c on c.id = d.connection_id
    join projects p on p.id = c.project_id and p.deleted_at is null
    where d.processed_at is null order by d.id limit 1`.execute(db);
  return rows[0];
}

type Delivery = {
  event: string;
  body: string;
  received_at: string;
  host: GitHost;
  on_open: Source["on_open"];
  workspace_id: number;
  key: string;
};

async function processDelivery(tx: Tx, { id, project_id }: Next): Promise<void> {
  await lockProject(tx, project_id);
  const { rows } = await sql<Delivery>`
    select d.event, d.body, d.received_at, c.host, c.on_open, p.workspace_id, p.key
    from git_deliveries d join git_connections c on c.id = d.connection_id join projects p on p.id = c.project_id
    where d.id = ${id} and d.processed_at is null for update of d`.execute(tx);
  const [delivery] = rows;
  if (!delivery) return;
  const { event, body, host, on_open, received_at, workspace_id, key } = delivery;
  await apply(
    tx,
    { project: { id: project_id, workspace_id, key }, host, on_open, received_at },
    event,
    body,
  );
  await tx
    .updateTable("git_deliveries")
    .set({ body: null, processed_at: sql`clock_timestamp()` })
    .where("id", "=", id)
    .execute();
}

async function apply(tx: Tx, source: Source, event: string, body: string): Promise<void> {
  const change = readDelivery(source.host, event, body);
  if (change?.kind === "push") await applyPush(tx, source, change);
  if (change?.kind === "request") await applyRequest(tx, source, change);
  if (change?.kind === "check") await applyCheck(tx, source, change);
}
