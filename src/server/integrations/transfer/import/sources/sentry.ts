import { at, isRecord, record, type JsonRecord } from "../../../../ingest/read/coerce.ts";
import type { ReadEvent } from "../../../../ingest/read/read-event.ts";
import { HttpStatusError } from "../../fetch-json.ts";
import { openSentryApi, type SentryApi } from "../../sentry-api.ts";
import type {
  ImportedComment,
  ImportedErrorGroup,
  ImportedPerson,
  ImportInput,
  LeftOut,
  Source,
  SourceOptions,
} from "../item.ts";
import { mapConcurrently } from "../map-concurrently.ts";
import { readJsonObjects } from "../read-json-objects.ts";
import { eventOfApi, readNames, readSentEvent } from "./sentry-event.ts";

/** Sentry's issues, by the address of the organization's issues or from a file with the API's answer. */
export const sentry: Source = (input, options) => readGroups(input, options, latestOfSentry);

/** GlitchTip has Sentry's API, except that it tells less about events. */
export const glitchtip: Source = (input, options) => readGroups(input, options, latestOfGlitchTip);

export type ReadLatest = (api: SentryApi, issue: JsonRecord, id: string) => Promise<JsonRecord | null>;

/** Each issue takes one to three requests. Servers that want fewer say so, which is obeyed. */
const REQUESTS_IN_FLIGHT = 6;

async function* readGroups(
  input: ImportInput,
  options: SourceOptions,
  readLatest: ReadLatest,
): AsyncGenerator<ImportedErrorGroup | LeftOut> {
  if ("path" in input) yield* readFile(input.path, options);
  else yield* readApi(openSentryApi(input.url, input.token, options), options, readLatest);
}

async function* readFile(
  path: string,
  { from, privacyRules }: SourceOptions,
): AsyncGenerator<ImportedErrorGroup | LeftOut> {
  for await (const entry of readJsonObjects(path)) {
    if (entry.item === "left_out") yield entry;
    else if (isOfProject(entry.value, from))
      yield groupOf(entry.value, entry.where, { event: null, comments: [], privacyRules });
  }
}

async function* readApi(
  api: SentryApi,
  { from, privacyRules }: SourceOptions,
  readLatest: ReadLatest,
): AsyncGenerator<ImportedErrorGroup | LeftOut> {
  const query = new URLSearchParams(api.query);
  // Without a query, the list has only unresolved issues.
  if (!query.has("query")) query.set("query", "");
  if (!query.has("limit")) query.set("limit", "100");
  for await (const page of api.pages(`organizations/${api.organization}/issues/`, query)) {
    const issues = page.filter((issue) => isOfProject(issue, from));
    yield* await mapConcurrently(issues, REQUESTS_IN_FLIGHT, async (issue) => {
      const id = textOf(at(issue, "id"));
      if (id === null) return groupOf(issue, "an issue", { event: null, comments: [], privacyRules });
      const sent = await readLatest(api, record(issue), encodeURIComponent(id));
      const comments = Number(at(issue, "numComments")) > 0 ? await readComments(api, id) : [];
      const event = sent && readSentEvent(sent, privacyRules);
      return groupOf(issue, `issue ${id}`, { event, comments, privacyRules });
    });
  }
}

const isOfProject = (issue: unknown, slug: string | null): boolean =>
  slug === null || at(issue, "project", "slug") === slug;

/** The event as JSON has the fingerprint of the program, which the event's other answer lacks. */
export async function latestOfSentry(
  api: SentryApi,
  issue: JsonRecord,
  id: string,
): Promise<JsonRecord | null> {
  const { organization } = api;
  const latest =
    (await getOrNull(api, `organizations/${organization}/issues/${id}/events/latest/`)) ??
    (await getOrNull(api, `issues/${id}/events/latest/`));
  const event = textOf(at(latest, "eventID"));
  const project = textOf(at(issue, "project", "slug"));
  if (event === null || project === null) return latest === null ? null : eventOfApi(latest);
  const path = [organization, project, "events", event, "json"].map(encodeURIComponent).join("/");
  return eventOfApi((await getOrNull(api, `projects/${path}/`)) ?? latest);
}

export async function latestOfGlitchTip(
  api: SentryApi,
  issue: JsonRecord,
  id: string,
): Promise<JsonRecord | null> {
  const latest = await getOrNull(api, `issues/${id}/events/latest/`);
  return latest === null ? null : { ...eventOfApi(latest), level: issue.level };
}

async function readComments(api: SentryApi, id: string): Promise<ImportedComment[]> {
  const comments: ImportedComment[] = [];
  const sent = await getOrNull(api, `issues/${encodeURIComponent(id)}/comments/`);
  for (const comment of Array.isArray(sent) ? sent.filter(isRecord) : []) {
    const commentId = textOf(comment["id"]);
    const content = textOf(at(comment.data, "text"));
    if (commentId === null || content === null) continue;
    const created_at = textOf(comment["dateCreated"]);
    comments.push({ ref: { id: commentId }, author: personOf(comment.user), content, created_at });
  }
  return comments;
}

/** Null if there is no such object (any more): the group is imported without it. */
async function getOrNull(api: SentryApi, path: string): Promise<unknown> {
  try {
    return await api.get(path);
  } catch (error) {
    if (error instanceof HttpStatusError && error.status === 404) return null;
    throw error;
  }
}

/** What is known of an issue besides its row in the list. */
type Known = { event: ReadEvent | null; comments: ImportedComment[]; privacyRules: string | null };

export function groupOf(
  value: unknown,
  where: string,
  { event, comments, privacyRules }: Known,
): ImportedErrorGroup | LeftOut {
  const issue = record(value);
  const id = textOf(issue["id"]);
  const [first, last] = [textOf(issue["firstSeen"]), textOf(issue["lastSeen"])];
  const title = textOf(issue["title"]);
  const metadata = record(issue["metadata"]);
  const exceptionClass = textOf(metadata.type) ?? (issue.type === "error" ? title : title && "Message");
  const message = textOf(metadata["value"]) ?? textOf(metadata["title"]) ?? title ?? "";
  if (id === null || first === null || last === null || exceptionClass === null)
    return {
      item: "left_out",
      where,
      reason: "It is not an issue of Sentry's API: id, title or times are missing.",
    };
  return {
    item: "error_group",
    ref: { id, url: textOf(issue["permalink"]) },
    where: `issue ${id}`,
    author: null,
    created_at: first,
    updated_at: null,
    comments,
    ...readNames(exceptionClass, message, privacyRules),
    event,
    environment: null,
    release: null,
    level: textOf(issue.level),
    status: statusOf(issue["status"]),
    resolved_at: null,
    occurrence_count: countOf(issue["count"]),
    first_seen_at: first,
    last_seen_at: last,
    assignee: at(issue["assignedTo"], "type") === "team" ? null : personOf(issue["assignedTo"]),
  };
}

/** Archived issues have the status `ignored`; old servers say `muted`. */
const statusOf = (status: unknown): 0 | 1 | 2 =>
  status === "resolved" ? 1 : status === "ignored" || status === "archived" || status === "muted" ? 2 : 0;

const countOf = (count: unknown): number => {
  const number = typeof count === "string" && /^\d{1,15}$/.test(count) ? Number(count) : count;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 1 ? number : 1;
};

function personOf(value: unknown): ImportedPerson | null {
  const [name, login, email] = ["name", "username", "email"].map((key) => textOf(at(value, key)));
  if (!name && !login && !email) return null;
  return { name: name ?? null, login: login ?? null, email: email ?? null };
}

function textOf(value: unknown): string | null {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}
