import { cachedByText } from "../../caches/cached-by-text.ts";
import { nameWithout } from "../read/clean-name.ts";
import { integer, record, text } from "../read/coerce.ts";
import { addressesInName, addressesInRelease } from "../remove-personal-data/personal-values.ts";

/** What SDKs report of the sessions of a release. */
export type ReadSessions = {
  release: string;
  environment: string;
  update: SessionUpdate | undefined;
  aggregates: SessionAggregate[];
};

/** The states of a session that did not stay healthy, in the order in which a later one replaces an earlier one. */
export const STATES = { errored: 1, abnormal: 2, crashed: 3 } as const;

/** The news of one session. */
export type SessionUpdate = {
  id: string;
  /** Two updates of a session with the same text are the same update. */
  mark: string;
  isFirst: boolean;
  /** 0 while it is healthy. */
  state: number;
  /** Milliseconds. */
  startedAt: number;
  user: string | undefined;
};

/** Sessions that a server has already counted. */
export type SessionAggregate = SessionCounts & { startedAt: number; user: string | undefined };

export type SessionCounts = { sessions: number; errored: number; crashed: number; abnormal: number };

type SessionField =
  | "aggregates"
  | "attrs"
  | "abnormal"
  | "crashed"
  | "did"
  | "environment"
  | "errored"
  | "errors"
  | "exited"
  | "init"
  | "release"
  | "seq"
  | "sid"
  | "started"
  | "status"
  | "timestamp"
  | "unhandled";

type Json = Partial<Record<SessionField, unknown>>;

const MAX_ID_LENGTH = 100;
const MAX_USER_LENGTH = 1_000;
const MAX_AGGREGATES = 1_000;
const MAX_COUNT = 1_000_000_000;
const MAX_NAME_LENGTH = 1_000;
/** Characters of names. */
const CACHED_NAMES = 65_536;

/** Reads the payload of a `session` or `sessions` item. Undefined if it has no release or is not what it should be. */
export function readSessions(type: unknown, payload: Buffer, now: number): ReadSessions | undefined {
  const sent = parseRecord(payload);
  const attrs = record(sent.attrs) as Json;
  const release = releaseOf(textOf(attrs.release));
  if (release === null) return undefined;
  const target = { release, environment: environmentOf(textOf(attrs.environment)) ?? "production" };
  if (type === "sessions") {
    const aggregates = readAggregates(sent.aggregates, now);
    return aggregates.length === 0 ? undefined : { ...target, update: undefined, aggregates };
  }
  const update = readUpdate(sent, now);
  return update && { ...target, update, aggregates: [] };
}

// Most sessions of a server are of a few releases.
const releaseOf = cachedByText(CACHED_NAMES, (sent) => nameWithout(addressesInRelease, sent, new Map()));
const environmentOf = cachedByText(CACHED_NAMES, (sent) => nameWithout(addressesInName, sent, new Map()));

const textOf = (sent: unknown) => text(sent, MAX_NAME_LENGTH) ?? "";

function parseRecord(payload: Buffer): Json {
  try {
    return record(JSON.parse(payload.toString("utf8")));
  } catch {
    return {};
  }
}

function readUpdate(sent: Json, now: number): SessionUpdate | undefined {
  const { sid, init, seq, status, timestamp, started } = sent;
  if (typeof sid !== "string" || sid === "" || sid.length > MAX_ID_LENGTH) return undefined;
  const startedAt = timeOf(started ?? timestamp, now);
  if (startedAt === undefined) return undefined;
  const state = stateOf(status, sent.errors);
  const isFirst = init === true;
  // SDKs without `seq` may send two different updates within a millisecond.
  const mark = typeof seq === "number" ? `${seq}` : `${String(timestamp)} ${isFirst} ${state}`;
  return { id: sid, mark, isFirst, state, startedAt, user: userOf(sent.did) };
}

function stateOf(status: unknown, errors: unknown): number {
  if (status === "crashed") return STATES.crashed;
  if (status === "abnormal") return STATES.abnormal;
  const hasErrors = typeof errors === "number" && errors >= 1;
  return hasErrors || status === "errored" || status === "unhandled" ? STATES.errored : 0;
}

function readAggregates(sent: unknown, now: number): SessionAggregate[] {
  if (!Array.isArray(sent)) return [];
  return sent.slice(0, MAX_AGGREGATES).flatMap((each) => {
    const aggregate = record(each) as Json;
    const startedAt = timeOf(aggregate.started, now);
    if (startedAt === undefined) return [];
    const crashed = countOf(aggregate.crashed);
    const abnormal = countOf(aggregate.abnormal);
    const errored = countOf(aggregate.errored) + countOf(aggregate.unhandled);
    const sessions = countOf(aggregate.exited) + errored + crashed + abnormal;
    return sessions === 0
      ? []
      : [{ startedAt, sessions, errored, crashed, abnormal, user: userOf(aggregate.did) }];
  });
}

const countOf = (value: unknown): number => integer(value, 0, MAX_COUNT) ?? 0;

/**
 * Milliseconds. A time in the future counts as now, because clients' clocks may be wrong. Undefined if it is missing, or so long ago
 * that it would not be kept.
 */
function timeOf(sent: unknown, now: number): number | undefined {
  const time =
    typeof sent === "string" ? Date.parse(sent) : typeof sent === "number" ? sent * 1_000 : Number.NaN;
  return time > now - MAX_AGE_MS ? Math.min(time, now) : undefined;
}

const MAX_AGE_MS = 89 * 86_400_000;

function userOf(did: unknown): string | undefined {
  const user = typeof did === "number" ? String(did) : did;
  return typeof user === "string" && user !== "" && user.length <= MAX_USER_LENGTH ? user : undefined;
}
