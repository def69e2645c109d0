import { isRecord, record, type JsonRecord } from "../../../../ingest/read/coerce.ts";
import { fetchJson } from "../../fetch-json.ts";
import { nextPage } from "../../next-page.ts";
import {
  ImportError,
  type ImportedComment,
  type ImportedIssue,
  type ImportedPerson,
  type ImportNote,
  type LeftOut,
  type Source,
} from "../item.ts";
import { mapConcurrently } from "../map-concurrently.ts";
import { readJsonObjects } from "../read-json-objects.ts";

/** Issues of a GitHub repository: a file with what the API answers, or the address of the repository. */
export const github: Source = (input, { signal }) =>
  "path" in input ? readFile(input.path) : readApi(input.url, input.token, signal);

async function* readFile(path: string): AsyncGenerator<ImportedIssue | LeftOut | ImportNote> {
  let commentCount = 0;
  for await (const object of readJsonObjects(path)) {
    if (object.item === "left_out") {
      yield object;
      continue;
    }
    const issue = record(object.value);
    if (isPullRequest(issue)) continue;
    commentCount += Number(issue["comments"]) || 0;
    yield toIssue(issue, object.where, []);
  }
  if (commentCount > 0)
    yield {
      item: "note",
      where: "comments",
      text: `The file does not contain the ${commentCount.toLocaleString("en")} comments. Import from the repository's address to get them.`,
    };
}

const REQUESTS_IN_FLIGHT = 4;

/** Pages follow the `Link` header. Comments are read for the issues that have any. */
async function* readApi(
  url: URL,
  token: string | null,
  signal: AbortSignal,
): AsyncGenerator<ImportedIssue | LeftOut> {
  const headers: Record<string, string> = {
    accept: "application/vnd.github+json",
    "user-agent": "signalbox-import",
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  const pages = async function* (first: URL): AsyncGenerator<JsonRecord[]> {
    for (let page: URL | null = first; page !== null;) {
      const answer = await fetchJson(page, { headers, signal });
      if (!Array.isArray(answer.body)) throw new ImportError(`${page.href} is not a list of issues.`);
      yield answer.body.filter(isRecord);
      page = nextPage(answer.headers, page);
    }
  };
  const readComments = async (issue: JsonRecord): Promise<ImportedComment[]> => {
    const address = issue["comments_url"];
    // The token must not go to another server.
    if (!Number(issue["comments"]) || typeof address !== "string" || !address.startsWith(`${url.origin}/`))
      return [];
    const first = new URL(address);
    first.searchParams.set("per_page", "100");
    const comments: ImportedComment[] = [];
    for await (const page of pages(first)) comments.push(...page.map(toComment));
    return comments;
  };
  for await (const page of pages(issuesOf(url))) {
    const issues = page.filter((issue) => !isPullRequest(issue));
    yield* await mapConcurrently(issues, REQUESTS_IN_FLIGHT, async (issue) =>
      toIssue(issue, `#${String(issue["number"])}`, await readComments(issue)),
    );
  }
}

/** `https://github.com/owner/name`, or the address of the list in the API of any GitHub server. Oldest first, so that new issues move no others. */
function issuesOf(url: URL): URL {
  const [, owner, name] = /^\/([\w.-]+)\/([\w.-]+?)(?:\.git|\/issues)?\/?$/.exec(url.pathname) ?? [];
  const isWebsite = url.hostname === "github.com" && owner !== undefined;
  if (!isWebsite && !/\/repos\/[\w.-]+\/[\w.-]+\/issues\/?$/.test(url.pathname))
    throw new ImportError(
      "Give the address of a repository, https://github.com/OWNER/NAME, or of its issues in the API, https://HOST/api/v3/repos/OWNER/NAME/issues.",
    );
  const list = isWebsite ? new URL(`https://api.github.com/repos/${owner}/${name}/issues`) : new URL(url);
  for (const [parameter, value] of [
    ["state", "all"],
    ["sort", "created"],
    ["direction", "asc"],
    ["per_page", "100"],
  ] as const)
    if (!list.searchParams.has(parameter)) list.searchParams.set(parameter, value);
  return list;
}

const isPullRequest = (issue: JsonRecord): boolean => isRecord(issue["pull_request"]);

function toIssue(issue: JsonRecord, where: string, comments: ImportedComment[]): ImportedIssue | LeftOut {
  const id = textOf(issue["id"]);
  if (id === null) return { item: "left_out", where, reason: "It has no id." };
  const labels = listOf(issue["labels"]).flatMap(
    (label) => textOf(isRecord(label) ? label["name"] : label) ?? [],
  );
  const type = textOf(record(issue["type"])["name"]);
  const isBug = [...labels, type ?? ""].some((name) => name.toLowerCase() === "bug");
  const assignees = listOf(issue["assignees"]);
  return {
    item: "issue",
    ref: { id, url: textOf(issue["html_url"]) },
    where,
    title: textOf(issue["title"]) ?? "",
    description: textOf(issue["body"]),
    type: isBug ? 1 : 0,
    lane: issue["state"] === "closed" ? { name: "Closed", kind: "done" } : null,
    labels,
    sprint: textOf(record(issue["milestone"])["title"]),
    epic: null,
    author: personOf(issue["user"]),
    assignee: personOf(issue["assignee"] ?? assignees[0]),
    created_at: textOf(issue["created_at"]),
    updated_at: textOf(issue["updated_at"]),
    closed_at: textOf(issue["closed_at"]),
    comments,
  };
}

const toComment = (comment: JsonRecord): ImportedComment => ({
  ref: { id: String(comment["id"]) },
  author: personOf(comment["user"]),
  content: textOf(comment["body"]) ?? "",
  created_at: textOf(comment["created_at"]),
});

/** GitHub does not tell addresses. */
function personOf(user: unknown): ImportedPerson | null {
  const login = textOf(record(user)["login"]);
  return login === null ? null : { name: null, login, email: textOf(record(user)["email"]) };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function textOf(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}
