import { at, record } from "../../../ingest/read/coerce.ts";
import type { ImportedErrorGroup } from "../import/item.ts";
import { mapConcurrently } from "../import/map-concurrently.ts";
import { readSentEvent } from "../import/sources/sentry-event.ts";
import { groupOf, latestOfGlitchTip, latestOfSentry, type ReadLatest } from "../import/sources/sentry.ts";
import { HttpStatusError } from "../fetch-json.ts";
import type { SentryApi } from "../sentry-api.ts";

/** A group there. `count` is that of the compared days; null if it is not known. */
export type PeerGroup = { group: ImportedErrorGroup; count: number | null };

type Options = { since: Date; days: number; privacyRules: string | null };

const REQUESTS_IN_FLIGHT = 6;

/** Counting the events of an issue one by one ends here. */
const MAX_COUNTED = 10_000;

/** The groups that were last seen on the compared days, with their latest events, in pages. */
export async function* readPeerGroups(api: SentryApi, options: Options): AsyncGenerator<PeerGroup[]> {
  const query = new URLSearchParams(api.query);
  if (!query.has("query")) query.set("query", "");
  if (!query.has("limit")) query.set("limit", "100");
  query.set("statsPeriod", `${options.days + 1}d`);
  query.set("groupStatsPeriod", "auto");
  let readLatest: ReadLatest | undefined;
  for await (const page of api.pages(`organizations/${api.organization}/issues/`, query)) {
    const recent = page.filter((issue) => isSince(at(issue, "lastSeen"), options.since));
    const [first] = recent;
    if (first === undefined) continue;
    readLatest ??= await chooseReader(api, first);
    const reading = { ...options, readLatest };
    const groups = await mapConcurrently(recent, REQUESTS_IN_FLIGHT, (issue) =>
      readGroup(api, issue, reading),
    );
    yield groups.flatMap((group) => group ?? []);
  }
}

/** GlitchTip does not have Sentry's route for the latest event, and may answer with 500 instead of 404. */
async function chooseReader({ organization, get }: SentryApi, issue: unknown): Promise<ReadLatest> {
  const id = encodeURIComponent(textOf(at(issue, "id")) ?? "");
  try {
    await get(`organizations/${organization}/issues/${id}/events/latest/`);
    return latestOfSentry;
  } catch (error) {
    if (!(error instanceof HttpStatusError) || error.status === 401) throw error;
    return latestOfGlitchTip;
  }
}

type Reading = Options & { readLatest: ReadLatest };

async function readGroup(api: SentryApi, issue: unknown, options: Reading): Promise<PeerGroup | undefined> {
  const id = textOf(at(issue, "id"));
  if (id === null) return undefined;
  const latest = await options.readLatest(api, record(issue), encodeURIComponent(id));
  const { privacyRules } = options;
  const event = latest && readSentEvent(latest, privacyRules);
  const group = groupOf(issue, `issue ${id}`, { event, comments: [], privacyRules });
  if (group.item === "left_out") return undefined;
  return {
    group,
    count: await countSince(api, record(issue), { ...options, id, total: group.occurrence_count }),
  };
}

/** By the times of all events if they are all recent, else by the counts per hour or day, else by the events themselves. */
async function countSince(
  api: SentryApi,
  issue: Record<string, unknown>,
  { since, id, total }: Options & { id: string; total: number },
): Promise<number | null> {
  if (isSince(issue["firstSeen"], since)) return total;
  const buckets = at(issue["stats"], "auto");
  if (Array.isArray(buckets) && buckets.length > 0) return sumOf(buckets, since);
  let count = 0;
  for await (const page of api.pages(`issues/${encodeURIComponent(id)}/events/`)) {
    const recent = page.filter((event) => isSince(at(event, "dateCreated"), since));
    count += recent.length;
    // Newest first.
    if (recent.length < page.length) return count;
    if (count >= MAX_COUNTED) return null;
  }
  return count;
}

/** Pairs of a Unix time and a count. */
function sumOf(buckets: unknown[], since: Date): number {
  return buckets.reduce<number>((sum, bucket) => {
    const [seconds, count] = Array.isArray(bucket) ? (bucket as unknown[]) : [];
    const isCounted = typeof seconds === "number" && seconds * 1_000 >= since.getTime();
    return isCounted && typeof count === "number" ? sum + count : sum;
  }, 0);
}

const isSince = (time: unknown, since: Date): boolean =>
  typeof time === "string" && Date.parse(time) >= since.getTime();

function textOf(value: unknown): string | null {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}
