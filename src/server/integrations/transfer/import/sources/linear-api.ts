import { at, isRecord, record } from "../../../../ingest/read/coerce.ts";
import { fetchJson } from "../../fetch-json.ts";
import {
  ImportError,
  type ImportedComment,
  type ImportedIssue,
  type ImportedLaneKind,
  type ImportedPerson,
  type SourceOptions,
} from "../item.ts";

/** Comments of an issue that come with it. Further ones are read separately. */
const COMMENTS = `comments(first: 50, after: $after) {
  nodes { id body createdAt user { name email } botActor { name } } pageInfo { hasNextPage endCursor } }`;

const ISSUES = `query Issues($after: String, $filter: IssueFilter) {
  issues(first: 50, after: $after, filter: $filter, orderBy: createdAt) {
    nodes {
      id identifier title description priority url createdAt updatedAt completedAt canceledAt dueDate
      state { name type } creator { name email } assignee { name email } labels { nodes { name } }
      cycle { name number } project { name } ${COMMENTS.replace(", after: $after", "")}
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

const MORE_COMMENTS = `query Comments($id: String!, $after: String) { issue(id: $id) { ${COMMENTS} } }`;

/** Reads Linear's GraphQL API page by page. The token is a personal API key. */
export async function* readLinearApi(
  url: URL,
  token: string | null,
  { from: team, signal }: Pick<SourceOptions, "from" | "signal">,
): AsyncGenerator<ImportedIssue> {
  if (token === null) throw new ImportError("Set IMPORT_TOKEN to a personal API key of Linear.");
  const query = async (text: string, variables: object): Promise<unknown> => {
    const { body } = await fetchJson(url, {
      headers: { authorization: token },
      signal,
      post: { query: text, variables },
    });
    const { errors, data } = record(body);
    const [error] = Array.isArray(errors) ? errors : [];
    if (error !== undefined || !isRecord(data))
      throw new ImportError(`Linear answers: ${textOf(record(error)["message"]) ?? "no data"}.`);
    return data;
  };
  const filter = team === null ? null : { team: { key: { eq: team } } };
  for (let after: string | null = null, isLast = false; !isLast;) {
    const page = record(record(await query(ISSUES, { after, filter }))["issues"]);
    for (const node of nodesOf(page)) {
      const id = textOf(node["id"]) ?? "";
      const comments = nodesOf(node["comments"]).map(toComment);
      for (let more = endOf(node["comments"]); more !== null;) {
        const next: unknown = at(await query(MORE_COMMENTS, { id, after: more }), "issue", "comments");
        comments.push(...nodesOf(next).map(toComment));
        more = endOf(next);
      }
      // Linear lists the newest first.
      yield toIssue(
        node,
        comments.toSorted((a, b) => (a.created_at ?? "").localeCompare(b.created_at ?? "")),
      );
    }
    after = endOf(page);
    isLast = after === null;
  }
}

type Node = Readonly<Record<string, unknown>>;

const nodesOf = (connection: unknown): Node[] => {
  const nodes = record(connection)["nodes"];
  return Array.isArray(nodes) ? nodes.filter(isRecord) : [];
};

function endOf(connection: unknown): string | null {
  const info = record(record(connection)["pageInfo"]);
  return info["hasNextPage"] === true ? textOf(info["endCursor"]) : null;
}

const KINDS: Readonly<Record<string, ImportedLaneKind>> = {
  triage: "backlog",
  backlog: "backlog",
  unstarted: "todo",
  started: "doing",
  completed: "done",
  canceled: "done",
  duplicate: "done",
};

/** By Linear's numbers: 1 is urgent, 4 low. 0 is none, which is medium here. */
const PRIORITIES: Readonly<Record<number, 0 | 1 | 2 | 3>> = { 1: 0, 2: 1, 3: 2, 4: 3 };

function toIssue(node: Node, comments: ImportedComment[]): ImportedIssue {
  const state = record(node["state"]);
  const cycle = record(node["cycle"]);
  const cycleNumber = textOf(cycle["number"]);
  return {
    item: "issue",
    ref: { id: textOf(node["id"]) ?? "", url: textOf(node["url"]) },
    where: textOf(node["identifier"]) ?? "an issue",
    title: textOf(node["title"]) ?? "",
    description: textOf(node["description"]),
    priority: PRIORITIES[Number(node["priority"])] ?? 2,
    lane: { name: textOf(state["name"]) ?? "", kind: KINDS[String(state["type"])] ?? null },
    labels: nodesOf(node["labels"]).flatMap(({ name }) => textOf(name) ?? []),
    sprint: textOf(cycle["name"]) ?? (cycleNumber === null ? null : `Cycle ${cycleNumber}`),
    epic: textOf(record(node["project"])["name"]),
    author: personOf(node["creator"]),
    assignee: personOf(node["assignee"]),
    due_on: textOf(node["dueDate"]),
    created_at: textOf(node["createdAt"]),
    updated_at: textOf(node["updatedAt"]),
    closed_at: textOf(node["completedAt"]) ?? textOf(node["canceledAt"]),
    comments,
  };
}

const toComment = (node: Node): ImportedComment => ({
  ref: { id: textOf(node["id"]) ?? "" },
  author: personOf(node["user"] ?? node["botActor"]),
  content: textOf(node["body"]) ?? "",
  created_at: textOf(node["createdAt"]),
});

function personOf(user: unknown): ImportedPerson | null {
  const [name, email] = [textOf(record(user)["name"]), textOf(record(user)["email"])];
  return name === null && email === null ? null : { name, login: null, email };
}

function textOf(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}
