import { sql } from "kysely";
import { Batcher } from "../../batching/batcher.ts";
import type { Db } from "../../db/connect.ts";
import { ErrorGroupChanges } from "../../record/error-group-changes.ts";
import { nextTime, type Scheduled } from "../schedule/next-time.ts";
import type { CheckInOf, CheckInOutcome } from "./check-in.ts";

/** The most check-ins in one statement. Larger statements save little. */
const MAX_CHECK_INS = 200;

/**
 * Nobody waits for the answer to a check-in, so under load many share a statement: at 1,000 a second, gathering for 50 ms instead of not
 * at all halves their CPU time.
 */
export const CHECK_IN_GATHER_MS = 50;

/** A check-in this early is the expected one: the clocks of computers differ. */
const EARLY_MS = 10_000;

export type CheckIns = {
  /** Resolves once the check-in is committed. */
  record(checkIn: CheckInOf): Promise<CheckInOutcome>;
  /** Announces what waits for it. */
  close(): Promise<void>;
};

/** Records check-ins. Those that arrive while others are being recorded share their statements. */
export function openCheckIns(db: Db, onError: (error: Error) => void): CheckIns {
  const changes = new ErrorGroupChanges(db, { kind: "monitor", onError });
  const batcher = new Batcher<CheckInOf, CheckInOutcome>(
    async (sent) => {
      const outcomes = await recordAll(db, sent);
      changes.add(sent.map(({ monitor }) => monitor));
      return outcomes;
    },
    { maxItems: MAX_CHECK_INS, gatherMs: CHECK_IN_GATHER_MS },
  );
  return { record: (checkIn) => batcher.add(checkIn), close: () => changes.close() };
}

type Numbered = CheckInOf & { place: number };

async function recordAll(db: Db, sent: CheckInOf[]): Promise<CheckInOutcome[]> {
  // Rows are locked in this order, so that batches of several processes cannot deadlock.
  const sorted = sent
    .map((checkIn, place): Numbered => ({ ...checkIn, place }))
    .toSorted(
      (a, b) =>
        a.monitor.id - b.monitor.id ||
        (a.environment < b.environment ? -1 : a.environment > b.environment ? 1 : a.place - b.place),
    );
  const expectations = await readExpectations(db, sorted);
  const rows = sorted.map((checkIn, n) => ({ ...checkIn, ...(expectations[n] as Expectation) }));
  const { rows: outcomes } = await sql<{ outcome: CheckInOutcome }>`
    select outcome from record_check_ins(${rows.map(({ monitor }) => monitor.id)}, ${rows.map((row) => row.environment)},
      ${rows.map((row) => row.known)}, ${rows.map((row) => row.due)}, ${rows.map((row) => row.next)},
      ${rows.map((row) => row.check_in_id)}, ${rows.map((row) => row.status)}, ${rows.map((row) => row.duration)},
      ${rows.map((row) => row.release)}, ${rows.map((row) => row.trace_id)}, ${rows.map((row) => row.text)})
      as recorded (outcome)`.execute(db);
  const byPlace: CheckInOutcome[] = [];
  for (const [n, { place }] of sorted.entries()) byPlace[place] = outcomes[n]?.outcome ?? "unknown";
  return byPlace;
}

/**
 * `known` is the environment's next expected time, as read. `due` is the expected time that a check-in now meets, and `next` the one
 * after it; both are null if it meets none.
 */
type Expectation = { known: string | null; due: string | null; next: string | null };

type Row = Scheduled & { n: number; known: string | null; now: string };

async function readExpectations(db: Db, sent: Numbered[]): Promise<Expectation[]> {
  const { rows } = await sql<Row>`
    select sent.n, m.schedule, m.timezone, e.next_due_at as known, clock_timestamp() as now
    from unnest(${sent.map(({ monitor }) => monitor.id)}::bigint[], ${sent.map(({ environment }) => environment)}::text[])
      with ordinality as sent (monitor_id, environment, n)
    join monitors m on m.id = sent.monitor_id
    left join monitor_environments e on e.monitor_id = m.id and e.name = sent.environment`.execute(db);
  const expectations: Expectation[] = sent.map(() => ({ known: null, due: null, next: null }));
  for (const row of rows) expectations[row.n - 1] = expectationOf(row);
  return expectations;
}

function expectationOf({ known, now, ...scheduled }: Row): Expectation {
  const at = Date.parse(now);
  const isInterval = scheduled.schedule.type === "interval";
  if (known === null || isInterval) return { known, due: known, next: iso(nextTime(scheduled, at)) };
  if (Date.parse(known) > at + EARLY_MS) return { known, due: null, next: null };
  return { known, due: known, next: iso(nextTime(scheduled, Date.parse(known))) };
}

const iso = (time: number) => new Date(time).toISOString();
