import type pg from "pg";

/**
 * How long a process may use permits that it took in advance. They count as used at the end of this time, so that the limit
 * holds even if a process uses them late or crashes before it returns them.
 */
export const LEASE_SECONDS = 2;

/** Counts per second: those taken in advance, then the current second and the 60 before it. */
const SECONDS = LEASE_SECONDS + 61;

/** What a process asks for: permits for waiting requests, permits for later requests, and unused permits to return. */
export type Ask = {
  limit: number;
  wanted: number;
  ahead: number;
  unused: number;
  /** When the unused permits were granted: `second` of that grant. */
  grantedIn: number;
};

export type Grant = {
  granted: number;
  /** Permits left for all processes. */
  remaining: number;
  /** The time of the grant on the key's own clock, which never goes back. */
  second: number;
  /** Seconds until a permit is free, if none is left. */
  retryAfter: number;
  /** Whether permits were granted so recently that a process may still return them. */
  isLeased: boolean;
};

/** Takes and returns permits of many keys in one statement. */
export async function takePermits(pool: pg.Pool, asks: Map<string, Ask>): Promise<Map<string, Grant>> {
  const column = (field: keyof Ask) => Array.from(asks.values(), (ask) => ask[field]);
  const { rows } = await pool.query<Row>({
    name: "take-permits",
    text: TAKE,
    values: [
      [...asks.keys()],
      column("limit"),
      column("wanted"),
      column("ahead"),
      column("unused"),
      column("grantedIn"),
    ],
  });
  return new Map(rows.map((row) => [row.key, grantOf(row, asks)]));
}

type Row = { key: string; granted: number; used: number; second: number; oldest: number; leased: boolean };

function grantOf({ key, granted, used, second, oldest, leased }: Row, asks: Map<string, Ask>): Grant {
  const remaining = (asks.get(key)?.limit ?? 0) - used;
  return { granted, remaining, second, retryAfter: SECONDS + 1 - oldest, isLeased: leased };
}

/**
 * Reads the clock while holding the row's lock, so counts are exact across processes. `second` continues to count when
 * the database's clock is set back: `clock_offset` makes up for the difference.
 *
 * counts[LEASE_SECONDS + 1] is for `second`. Permits taken in advance are counted in counts[1], the last second in which
 * they may be used. At most a tenth of what is left is granted in advance, so that other processes are not refused early.
 */
const TAKE = `
with asked as (
  select * from unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::int[], $6::bigint[])
    as a (key, max, wanted, ahead, unused, granted_in)
)
insert into rate_limits as r (key, second, counts, granted)
select key, floor(extract(epoch from clock_timestamp())),
  array_fill(0, array[${LEASE_SECONDS}]) || least(wanted, max) || array_fill(0, array[60]), least(wanted, max)
from asked order by key
on conflict (key) do update set (second, clock_offset, counts, granted) = (
  select t.second, r.clock_offset + t.second - clock.second,
    (left_over.counts[1] + g.ahead) || left_over.counts[2:${LEASE_SECONDS}]
      || (left_over.counts[${LEASE_SECONDS + 1}] + g.now) || left_over.counts[${LEASE_SECONDS + 2}:],
    g.now + g.ahead
  from asked a
  cross join lateral (select floor(extract(epoch from clock_timestamp()))::bigint + r.clock_offset as second) clock
  cross join lateral (select greatest(r.second, clock.second) as second) t
  cross join lateral (select least(${SECONDS}, t.second - r.second)::int as seconds) age
  cross join lateral (
    select array_fill(0, array[age.seconds]) || r.counts[1:${SECONDS} - age.seconds] as counts) aged
  cross join lateral (select (t.second - a.granted_in + 1)::int as place) ahead
  cross join lateral (select case when a.unused > 0 and ahead.place between 1 and cardinality(aged.counts)
    then aged.counts[:ahead.place - 1] || greatest(0, aged.counts[ahead.place] - a.unused)
      || aged.counts[ahead.place + 1:]
    else aged.counts end as counts) left_over
  cross join lateral (
    select greatest(0, a.max - (select sum(c) from unnest(left_over.counts) c))::int as permits) free
  cross join lateral (select least(a.wanted, free.permits) as now) granted
  cross join lateral (
    select granted.now, least(a.ahead, (free.permits - granted.now) / 10) as ahead) g
  where a.key = r.key
)
returning key, granted, second::float8 as second,
  (select sum(c)::int from unnest(counts) c) as used,
  (select coalesce(max(i), 1) from generate_subscripts(counts, 1) i where counts[i] > 0) as oldest,
  exists (select from unnest(counts[1:${2 * LEASE_SECONDS}]) c where c > 0) as leased`;
