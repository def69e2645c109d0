import { sql } from "kysely";
import type { Db, Tx } from "../../db/connect.ts";
import { notFound } from "../../answers/errors.ts";
import {
  isSealOf,
  openRow,
  readServerSecret,
  sealRow,
  type SealedRow,
  type ServerSecret,
} from "../status/server-secret.ts";

const PURPOSE = "subscription";

/** Links to confirm a subscription are valid for this many days. */
export const CONFIRMATION_DAYS = 7;

/** The secret of the links to confirm and to end a subscription. */
export const subscriptionSecret = (secret: ServerSecret, subscription: SealedRow) =>
  sealRow(secret, PURPOSE, subscription);

/** The page to unsubscribe. The same path below /api unsubscribes. */
export const unsubscribePath = (link: string) => `/subscriptions/${link}/unsubscribe`;

/** What a link to confirm or to end a subscription leads to. */
export type LinkedSubscription = {
  id: number;
  report_id: number;
  email: string;
  is_confirmed: boolean;
  /** The link was sent since the last time that the address was unsubscribed. */
  is_current: boolean;
  /** The link may confirm: it is current and not expired. */
  may_confirm: boolean;
  project_name: string;
};

/** 404 if there is no such subscription. `lock` keeps it from changing until the transaction ends. */
export async function findSubscription(
  db: Db | Tx,
  link: string,
  { lock = false } = {},
): Promise<LinkedSubscription> {
  const opened = openRow(await readServerSecret(db), PURPOSE, link);
  if (!opened) throw noSuchSubscription();
  // Those of made-up links may exceed the column's type.
  const generation = sql`${opened.generation}::bigint`;
  const { rows } = await sql<LinkedSubscription & { created_at: string }>`
    select s.id, s.report_id, s.email, s.created_at, s.confirmed_at is not null as is_confirmed,
      s.generation = ${generation} as is_current, s.generation = ${generation} and (s.confirmed_at is not null
        or s.requested_at > clock_timestamp() - make_interval(days => ${CONFIRMATION_DAYS})) as may_confirm,
      p.name as project_name
    from report_subscriptions s
    join reports r on r.id = s.report_id
    join projects p on p.id = r.project_id and p.deleted_at is null
    where s.id = ${opened.id} ${lock ? sql`for update of s` : sql``}`.execute(db);
  const [row] = rows;
  if (!row || !isSealOf(opened, { id: row.id, created_at: row.created_at, generation: opened.generation }))
    throw noSuchSubscription();
  return row;
}

const noSuchSubscription = () => notFound("There is no such subscription.");
