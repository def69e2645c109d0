import { isRecord, type JsonRecord } from "../../../../ingest/read/coerce.ts";
import { fetchJson } from "../../fetch-json.ts";
import { htmlToMarkdown } from "../html-to-markdown.ts";
import {
  ImportError,
  type ImportedComment,
  type ImportedIssue,
  type ImportedLaneKind,
  type ImportedPerson,
  type LeftOut,
  type Source,
} from "../item.ts";
import { mapConcurrently } from "../map-concurrently.ts";

/** Plane's work items, from the API, by the address of a project. */
export const plane: Source = async function* readWorkItems(input, { signal }) {
  if (!("url" in input)) throw new ImportError(ADDRESS);
  const api = openApi(input.url, input.token, signal);
  const names = await readNames(api);
  for await (const page of api.pages("work-items/"))
    yield* await mapConcurrently(page, REQUESTS_IN_FLIGHT, async (workItem) => {
      const id = textOf(workItem["id"]);
      if (id === null) return leftOut("a work item", "It has no id.");
      return toIssue(workItem, id, names, await readComments(api, id, names));
    });
};

const ADDRESS =
  "Give the address of the project in Plane's API: https://api.plane.so/api/v1/workspaces/SLUG/projects/UUID/.";

/** Plane allows 60 requests per minute unless the server is set up differently; more in flight would not be faster. */
const REQUESTS_IN_FLIGHT = 4;
const PAGE_SIZE = 100;

type Api = {
  url: URL;
  get(path: string): Promise<unknown>;
  pages(path: string): AsyncGenerator<JsonRecord[]>;
};

function openApi(url: URL, token: string | null, signal: AbortSignal): Api {
  const [project] =
    /^.*\/api\/v1\/workspaces\/[^/]+\/projects\/[\da-f-]{36}(?=\/|$)/i.exec(url.pathname) ?? [];
  if (project === undefined) throw new ImportError(ADDRESS);
  const root = new URL(`${project}/`, url.origin);
  const headers: Record<string, string> = token === null ? {} : { "x-api-key": token };
  const read = async (address: URL) => (await fetchJson(address, { headers, signal })).body;
  return {
    url: root,
    get: (path) => read(new URL(path, root)),
    async *pages(path) {
      const address = new URL(path, root);
      address.searchParams.set("per_page", String(PAGE_SIZE));
      // By age, so that work items that are created meanwhile move nothing to another page.
      address.searchParams.set("order_by", "created_at");
      const cursors = new Set<unknown>();
      for (;;) {
        const body = await read(address);
        const results = isRecord(body) ? body["results"] : body;
        if (!Array.isArray(results))
          throw new ImportError(`${address.origin}${address.pathname} is not a list.`);
        yield results.filter(isRecord);
        const cursor = isRecord(body) && body["next_page_results"] === true ? body["next_cursor"] : undefined;
        if (typeof cursor !== "string") return;
        if (cursors.has(cursor)) throw new ImportError(`${address.host} repeats a page of ${path}.`);
        cursors.add(cursor);
        address.searchParams.set("cursor", cursor);
      }
    },
  };
}

type State = { name: string; kind: ImportedLaneKind | null };

/** By the ids that work items use. */
type Names = {
  states: Map<string, State>;
  labels: Map<string, string>;
  members: Map<string, ImportedPerson>;
  /** The cycle and the module of each work item. */
  sprints: Map<string, string>;
  epics: Map<string, string>;
  /** The project's short name, the start of the keys of its work items. */
  key: string | null;
};

async function readNames(api: Api): Promise<Names> {
  const project = await api.get("");
  const states = await readAll(api, "states/");
  const labels = await readAll(api, "labels/");
  const members = await readAll(api, "members/");
  return {
    states: mapOf(states, ({ name, group }) => ({ name: textOf(name) ?? "", kind: kindOf(group) })),
    labels: mapOf(labels, ({ name }) => textOf(name)),
    members: mapOf(members, personOf),
    sprints: await readContents(api, "cycles", "cycle-issues"),
    epics: await readContents(api, "modules", "module-issues"),
    key: isRecord(project) ? textOf(project["identifier"]) : null,
  };
}

async function readAll(api: Api, path: string): Promise<JsonRecord[]> {
  const rows: JsonRecord[] = [];
  for await (const page of api.pages(path)) rows.push(...page);
  return rows;
}

/** The name of the newest cycle or module of each work item. A project may have neither. */
async function readContents(api: Api, kind: string, contents: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const { id, name } of await readAll(api, `${kind}/`)) {
    const [cycleId, cycleName] = [textOf(id), textOf(name)];
    if (cycleId === null || cycleName === null) continue;
    const path = `${kind}/${encodeURIComponent(cycleId)}/${contents}/?fields=id`;
    for await (const page of api.pages(path))
      for (const item of page) names.set(String(item["issue"] ?? item["id"]), cycleName);
  }
  return names;
}

const mapOf = <T>(rows: JsonRecord[], read: (row: JsonRecord) => T | null): Map<string, T> =>
  new Map(
    rows.flatMap((row) => {
      const id = textOf(row["id"]);
      const value = read(row);
      return id === null || value === null ? [] : [[id, value] as const];
    }),
  );

const KINDS: Readonly<Record<string, ImportedLaneKind>> = {
  backlog: "backlog",
  triage: "backlog",
  unstarted: "todo",
  started: "doing",
  completed: "done",
  cancelled: "done",
};

const kindOf = (group: unknown): ImportedLaneKind | null =>
  typeof group === "string" && Object.hasOwn(KINDS, group) ? (KINDS[group] as ImportedLaneKind) : null;

const PRIORITIES = ["urgent", "high", "medium", "low", "none"];

async function readComments(api: Api, id: string, { members }: Names): Promise<ImportedComment[]> {
  const comments: ImportedComment[] = [];
  for await (const page of api.pages(`work-items/${encodeURIComponent(id)}/comments/`))
    for (const comment of page) {
      const commentId = textOf(comment["id"]);
      const content = htmlToMarkdown(textOf(comment["comment_html"]) ?? "", nameIn(members));
      const author = members.get(String(comment["actor"] ?? comment["created_by"])) ?? null;
      if (commentId !== null && content !== "")
        comments.push({ ref: { id: commentId }, author, content, created_at: textOf(comment["created_at"]) });
    }
  return comments;
}

function toIssue(
  item: JsonRecord,
  id: string,
  { states, labels, members, sprints, epics, key }: Names,
  comments: ImportedComment[],
): ImportedIssue | LeftOut {
  const number = textOf(item["sequence_id"]);
  const where = key !== null && number !== null ? `${key}-${number}` : `work item ${id}`;
  if (item["is_draft"] === true) return leftOut(where, "It is a draft.");
  const priority = PRIORITIES.indexOf(String(item["priority"]));
  const state = states.get(String(item["state"]));
  return {
    item: "issue",
    ref: { id, url: null },
    where,
    author: members.get(String(item["created_by"])) ?? null,
    created_at: textOf(item["created_at"]),
    updated_at: textOf(item["updated_at"]),
    comments,
    title: textOf(item["name"]) ?? "",
    description: htmlToMarkdown(textOf(item["description_html"]) ?? "", nameIn(members)) || null,
    ...(priority === -1 ? {} : { priority: priority as 0 | 1 | 2 | 3 | 4 }),
    lane: state ?? null,
    labels: idsOf(item["labels"]).flatMap((label) => labels.get(label) ?? []),
    sprint: sprints.get(id) ?? null,
    epic: epics.get(id) ?? null,
    assignee: members.get(idsOf(item["assignees"])[0] ?? "") ?? null,
    due_on: textOf(item["target_date"]),
    closed_at: textOf(item["completed_at"]),
  };
}

const nameIn = (members: Names["members"]) => (id: string) => members.get(id)?.login ?? members.get(id)?.name;

const idsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];

function personOf({ first_name, last_name, display_name, email }: JsonRecord): ImportedPerson {
  const name = [first_name, last_name].flatMap((part) => textOf(part) ?? []).join(" ");
  return { name: name || textOf(display_name), login: textOf(display_name), email: textOf(email) };
}

const leftOut = (where: string, reason: string): LeftOut => ({ item: "left_out", where, reason });

function textOf(value: unknown): string | null {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}
