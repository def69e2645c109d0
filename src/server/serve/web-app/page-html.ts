import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The pages of the web app that need a lot of code, by their paths. The first match counts. */
export const PAGES: [path: RegExp, code: string][] = [
  [/^setup$/, "setup/setup-page.tsx"],
  [/^sign-in$/, "session/sign-in-page.tsx"],
  [/^password\/forgot$/, "session/forgot-page.tsx"],
  [/^password\/reset$/, "session/reset-page.tsx"],
  [/^invitations\//, "session/invitation-page.tsx"],
  [/^confirm-address$/, "session/confirm-address-page.tsx"],
  [/^reference$/, "reference/reference-page.tsx"],
  [/^$/, "home/home-page.tsx"],
  [/^notifications$/, "inbox/inbox-page.tsx"],
  [/^my-issues$/, "issues/my-issues-page.tsx"],
  [/^errors$/, "errors/all-errors-page.tsx"],
  [/^search$/, "search/search-page.tsx"],
  [/^settings\/profile$/, "profile/profile-page.tsx"],
  [/^settings\/notifications$/, "inbox/preferences-page.tsx"],
  [/^workspaces\/[^/]+\/settings$/, "workspaces/workspace-settings-page.tsx"],
  [/^projects\/[^/]+$/, "projects/project-home-page.tsx"],
  [/^projects\/[^/]+\/triage$/, "reports/triage-page.tsx"],
  [/^projects\/[^/]+\/reports\//, "reports/report-page.tsx"],
  [/^projects\/[^/]+\/errors$/, "errors/errors-page.tsx"],
  [/^projects\/[^/]+\/errors\//, "errors/error-group-page.tsx"],
  [/^projects\/[^/]+\/releases$/, "releases/releases-page.tsx"],
  [/^projects\/[^/]+\/release(?:s\/|$)/, "releases/release-page.tsx"],
  [/^projects\/[^/]+\/board$/, "board/board-page.tsx"],
  [/^projects\/[^/]+\/issues$/, "issues/issues-page.tsx"],
  [/^projects\/[^/]+\/issues\//, "issues/issue-page/issue-page.tsx"],
  [/^projects\/[^/]+\/epics$/, "epics/epics-page.tsx"],
  [/^projects\/[^/]+\/epics\//, "epics/epic-page.tsx"],
  [/^projects\/[^/]+\/sprints$/, "sprints/sprints-page.tsx"],
  [/^projects\/[^/]+\/sprints\/[^/]+\/plan$/, "sprints/plan-page.tsx"],
  [/^projects\/[^/]+\/sprints\//, "sprints/sprint-page.tsx"],
  [/^projects\/[^/]+\/settings$/, "projects/settings/project-settings-page.tsx"],
];

const PUBLIC = /^(?:setup|sign-in|password\/.*|invitations\/.*|confirm-address|reference)$/;
/** The requests that pages make besides the boot request, by the pages' addresses. */
const REQUESTS: [address: RegExp, request: string][] = [
  [/^(projects\/[A-Z0-9]+)\/issues\/([A-Z0-9]+-\d+)(?:\?|$)/, "$1/issues/$2"],
  [/^(projects\/[A-Z0-9]+)\/(?:issues|board)(?:\?|$)/, "$1/issues?sort=-created_at&limit=200"],
  [/^(projects\/[A-Z0-9]+)\/errors$/, "$1/error-groups"],
  [/^(projects\/[A-Z0-9]+)\/errors\/(\d+)(?:\?|$)/, "$1/error-groups/$2"],
  [/^(projects\/[A-Z0-9]+)\/triage(?:\?|$)/, "$1/reports"],
  [/^(projects\/[A-Z0-9]+)\/reports\/(\d+)(?:\?|$)/, "$1/reports/$2"],
  [/^notifications$/, "notifications?limit=100&include=all&unread=true"],
  [/^notifications\?filter=all$/, "notifications?limit=100&include=all"],
];

const CODE_MARK = "</head>";
const REQUEST_MARK = "<!-- first requests -->";
const FRAME = /<!-- frame -->.*<!-- end of frame -->/s;

/** The script that applies the theme before the first paint. */
const THEME = '<script src="/theme.js"></script>';

type Chunk = { file: string; name?: string; imports?: string[] };

/** Whether the browser has a session, and the key of the project that it opened most recently. */
export type PageClient = { isSignedIn: boolean; recentProject?: string | undefined };

export type PageHtml = {
  /** The hash of the only inline script, as a source of the content security policy; undefined without one. */
  scriptHash: string | undefined;
  htmlOf: (address: string, client: PageClient) => string;
};

/**
 * The web app's HTML for an address without its leading slash. It names the page's code and first requests, so that the
 * browser loads them all at once, and shows the empty frame until that has happened. It contains the script of the theme,
 * because the first paint would have to wait a round trip for a file.
 */
export function readPageHtml(folder: string): PageHtml {
  const built = readFileSync(path.join(folder, "index.html"), "utf8");
  const file = path.join(folder, "theme.js");
  const theme = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const html = theme === undefined ? built : built.replace(THEME, () => `<script>${theme}</script>`);
  const scriptHash =
    theme === undefined ? undefined : `'sha256-${createHash("sha256").update(theme).digest("base64")}'`;
  const chunks = readManifest(folder);
  // The frame of pages for signed-in users.
  const frame = Object.keys(chunks).filter((name) => chunks[name]?.name === "frame");
  const made = new Map<string, string>();
  const make = (code: readonly string[], hasFrame: boolean) => {
    const links = filesOf(chunks, code)
      .filter((file) => !html.includes(file))
      .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
    // After the styles, which the frame needs first.
    return html
      .replace(CODE_MARK, [REQUEST_MARK, ...links, CODE_MARK].join("\n    "))
      .replace(FRAME, hasFrame ? "$&" : "");
  };
  const htmlOf = (address: string, { isSignedIn, recentProject }: PageClient) => {
    const name = address.replace(/\?.*/s, "");
    const hasFrame = isSignedIn && !PUBLIC.test(name);
    const [, page] = PAGES.find(([path]) => path.test(name)) ?? [];
    const code = [...(hasFrame ? frame : []), ...(page === undefined ? [] : [page])];
    const key = code.join();
    const known = made.get(key) ?? make(code, hasFrame);
    made.set(key, known);
    return known.replace(REQUEST_MARK, hasFrame ? requestLinks(name, address, recentProject) : "");
  };
  return { scriptHash, htmlOf };
}

/** Must equal the URLs of the web app's requests. */
function requestLinks(name: string, address: string, recentProject: string | undefined): string {
  const [, named] = /^projects\/([A-Za-z0-9]+)(?:\/|$)/.exec(name) ?? [];
  const project = named ?? /^[A-Z0-9]+$/.exec(recentProject ?? "")?.[0];
  const boot = `boot${project === undefined ? "" : `?project=${project}`}`;
  const [own] = REQUESTS.flatMap(([of, request]) => {
    const [found] = of.exec(address) ?? [];
    return found === undefined ? [] : [found.replace(of, request).replaceAll("&", "&amp;")];
  });
  return [boot, ...(own === undefined ? [] : [own])]
    .map((path) => `<link rel="preload" as="fetch" crossorigin href="/api/${path}">`)
    .join("\n    ");
}

/** Without a manifest, the browser finds the code by itself, a little later. */
function readManifest(folder: string): Record<string, Chunk> {
  try {
    return JSON.parse(readFileSync(path.join(folder, ".vite/manifest.json"), "utf8")) as Record<
      string,
      Chunk
    >;
  } catch {
    return {};
  }
}

/** The files of some modules and everything they import. */
function filesOf(chunks: Record<string, Chunk>, modules: readonly string[]): string[] {
  const names = new Set(modules);
  for (const name of names) for (const next of chunks[name]?.imports ?? []) names.add(next);
  return [...names].flatMap((name) => chunks[name]?.file ?? []);
}
