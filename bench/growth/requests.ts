import type { Samples } from "./installation.ts";

export type Request = {
  part: string;
  name: string;
  path: (known: Samples) => string;
  by: "admin" | "member";
};

const SORTS = ["last_seen", "first_seen", "events", "users", "impact"];
const QUERIES = [
  ["a rare word", "zeppelin"],
  ["a word of 1 % of the issues", "mammoth"],
  ["a word in every other title", "import"],
  ["a word in every text", "signalbox"],
  ["a rare and a common word", "zeppelin signalbox"],
  ["two common words, never together", "import export"],
  ["a part of few class names", "otfoundhtt"],
  ["the suffix of all class names", "exception"],
  ["a word without matches", "xylophone"],
] as const;

/** What the pages of the web app read, and some of what only the API offers. */
export const REQUESTS: Request[] = [
  { part: "anybody", name: "a request without a query", by: "member", path: () => "/api/health" },
  ...inProject("one project of average size", ({ project }) => project),
  ...oneThing(),
  ...acrossProjects("a member of 10 projects", "member"),
  ...acrossProjects("an administrator, who sees all projects", "admin"),
  ...inProject("the largest project (ten times as large)", ({ largest }) => largest, "admin"),
];

function inProject(part: string, of: (known: Samples) => number, by: Request["by"] = "member"): Request[] {
  const request = (name: string, path: string): Request => ({
    part,
    name,
    by,
    path: (known) => `/api/projects/${of(known)}/${path}`,
  });
  return [
    ...SORTS.map((sort) => request(`errors by ${sort}`, `error-groups?sort=${sort}`)),
    request("open errors", "error-groups?status=0"),
    request("errors with a tag", `error-groups?tag=${encodeURIComponent("shop:7")}`),
    request("errors whose message has a word", "error-groups?query=place"),
    request("errors without a match", "error-groups?query=xylophone"),
    request("board, first page", "issues?sort=-created_at&limit=200"),
    request("issues by time of change", "issues?sort=-updated_at&limit=50"),
    request("issues with a word", "issues?query=mammoth"),
    request("triage: all reports", "reports"),
    request("counts of the sidebar", "counts"),
    request("releases", "releases?limit=50"),
    {
      part,
      name: "search in the project",
      by,
      path: (known) => `/api/search?query=import&project_id=${of(known)}`,
    },
  ];
}

function oneThing(): Request[] {
  const request = (name: string, path: (known: Samples) => string): Request => ({
    part: "one thing",
    name,
    by: "member",
    path: (known) => `/api/projects/${known.project}/${path(known)}`,
  });
  return [
    request("an issue", ({ issue }) => `issues/${issue}`),
    request("its comments", ({ issue }) => `issues/${issue}/comments`),
    request("an error", ({ group }) => `error-groups/${group}`),
    request("its kept events", ({ group }) => `error-groups/${group}/events`),
    request("its tags", ({ group }) => `error-groups/${group}/tags`),
    request("an event", ({ group, event }) => `error-groups/${group}/events/${event}`),
  ];
}

function acrossProjects(part: string, by: Request["by"]): Request[] {
  const request = (name: string, path: string | Request["path"]): Request => ({
    part,
    name,
    by,
    path: typeof path === "string" ? () => path : path,
  });
  return [
    ...SORTS.map((sort) => request(`errors by ${sort}`, `/api/error-groups?sort=${sort}`)),
    request("open errors", "/api/error-groups?status=0"),
    // As many rows as a small installation has.
    request("errors with a tag", `/api/error-groups?limit=50&tag=${encodeURIComponent("shop:7")}`),
    request("errors whose message has a word", "/api/error-groups?query=place"),
    request("errors without a match", "/api/error-groups?query=xylophone"),
    request("newest issues", "/api/issues?limit=50"),
    request("issues by time of change", "/api/issues?sort=-updated_at&limit=50"),
    request("issues by due date", "/api/issues?sort=due_on&limit=50"),
    request("my issues", "/api/issues?assignee_id=me&limit=200"),
    request("issues with a word", "/api/issues?query=mammoth"),
    ...QUERIES.map(([name, query]) =>
      request(`search: ${name}`, `/api/search?query=${encodeURIComponent(query)}`),
    ),
    request("search: a key", ({ project }) => `/api/search?query=P${project}-12`),
    request("inbox", "/api/notifications?limit=100&include=all"),
    request("unread count", "/api/notifications/unread-count?include=all"),
    request("unread counts by type", "/api/notifications/unread-counts?include=all"),
    request("home", "/api/home"),
    request("list of projects", "/api/projects?limit=200"),
    request("boot", ({ project }) => `/api/boot?project=${project}`),
  ];
}
