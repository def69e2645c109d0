import type { Project } from "../../shared/projects.ts";
import type { SearchHit, SearchKind } from "../../shared/search.ts";
import { CATALOG } from "../keys/catalog.ts";
import type { Command } from "../keys/commands.ts";
import { stateOf } from "./hit-state.ts";
import { addressOf, issueKeyIn } from "../data/search.ts";
import { byMatch, matchOf } from "./palette-rank.ts";

/** An entry of the palette: an address to open, or a command to run. */
export type PaletteEntry = {
  id: string;
  group: string;
  label: string;
  /** The kind of item, shown as an icon. */
  mark?: SearchKind | undefined;
  /** Before the label: an issue's key. */
  prefix?: string | undefined;
  detail?: string | undefined;
  state?: string | undefined;
  keys?: string | undefined;
  href?: string | undefined;
  run?: (() => void) | undefined;
};

/** `WEB-12` in an accessible project opens the issue without a search. */
export function jumpEntries(text: string, projects: readonly Project[]): PaletteEntry[] {
  const key = issueKeyIn(text);
  const project = key && projects.find((one) => key.startsWith(`${one.key}-`));
  if (!key || !project) return [];
  const href = `/projects/${project.key}/issues/${key}`;
  return [{ id: "jump", group: "Jump to", label: key, mark: "issue", detail: project.name, href }];
}

/** The search results, without the issue to jump to, which takes over its title. */
export function withoutJump(
  jump: readonly PaletteEntry[],
  found: readonly PaletteEntry[],
): { jump: PaletteEntry[]; found: PaletteEntry[] } {
  const isJump = ({ href }: PaletteEntry) => href !== undefined && jump.some((one) => one.href === href);
  const hit = found.find(isJump);
  return {
    jump: jump.map((entry) =>
      hit ? { ...entry, label: hit.label, prefix: hit.prefix, state: hit.state } : entry,
    ),
    found: found.filter((entry) => !isJump(entry)),
  };
}

/** Without text: all commands by group, those for the focused item first. With text: those that match, the best first. */
export function commandEntries(commands: readonly Command[], text: string): PaletteEntry[] {
  const found = commands.flatMap(({ id, label, keys, group, run }) => {
    const match = HIDDEN.has(id) ? undefined : matchOf(id, label, text);
    if (match === undefined) return [];
    const entry: PaletteEntry = {
      id: `command-${id}`,
      group: EVERYWHERE.has(id) ? "Anywhere" : group,
      label,
      keys,
      run,
    };
    return [{ entry, match, place: placeOf(id) }];
  });
  return byMatch(
    found.toSorted((a, b) => orderOf(a.entry.group) - orderOf(b.entry.group) || a.place - b.place),
  );
}

/** Within a group: what people create comes first, then the order of the catalog, then commands without a key, and what deletes. */
const ORDER = ["newIssue", "newReport", "new-project", ...Object.keys(CATALOG)];
const placeOf = (id: string) =>
  ORDER.includes(id) ? ORDER.indexOf(id) : ORDER.length + (id.startsWith("delete") ? 1 : 0);

/** Commands that are useful only as keys. */
const HIDDEN = new Set([
  "palette",
  "search",
  "next",
  "previous",
  "open",
  "peek",
  "select",
  "close",
  "sidebar",
]);
/** Commands without a key that work on every page. */
const EVERYWHERE = new Set(["profile", "preferences", "new-project", "all-errors", "overview"]);
const GROUPS = ["Work", "Here", "Lists", "Anywhere", "Go to", "Theme", "Account"];
const ACTIONS = new Set(["Work", "Here", "Lists"]);

/** Whether it acts on the focused item or the current page, rather than opening another one. */
export const isAction = ({ group }: PaletteEntry): boolean => ACTIONS.has(group);
const orderOf = (group: string) => (GROUPS.includes(group) ? GROUPS.indexOf(group) : GROUPS.length);

export function projectEntries(projects: readonly Project[], text: string): PaletteEntry[] {
  if (text.trim() === "") return [];
  return projects
    .filter(({ name, key }) => hasWords(`${name} ${key}`, text))
    .slice(0, 5)
    .map(({ key, name }) => ({
      id: `project-${key}`,
      group: "Projects",
      label: name,
      mark: "project",
      detail: key,
      href: `/projects/${key}`,
    }));
}

/** Whether it is a search result from the server. */
export const isFound = ({ group, id }: PaletteEntry): boolean => group === "Found" && id !== "all";

/** The search results, except projects, which are listed by `projectEntries`. */
export function hitEntries(
  hits: readonly SearchHit[],
  projects: readonly Project[],
  text: string,
): PaletteEntry[] {
  const keys = new Map(projects.map(({ id, key }) => [id, key]));
  const found = hits.flatMap((hit): PaletteEntry[] => {
    const projectKey = keys.get(hit.project_id);
    if (projectKey === undefined || hit.kind === "project") return [];
    return [
      {
        id: `${hit.kind}-${hit.id}`,
        group: "Found",
        ...wordsOf(hit),
        mark: hit.kind,
        prefix: hit.key ?? undefined,
        state: stateOf(hit),
        href: addressOf(hit, projectKey),
      },
    ];
  });
  if (text.trim() === "") return [];
  const all = `/search?${new URLSearchParams({ query: text.trim() })}`;
  return [...found, { id: "all", group: "Found", label: `All results for “${text.trim()}”`, href: all }];
}

/** An error's message says more than its class. */
function wordsOf({ kind, title, excerpt }: SearchHit): Pick<PaletteEntry, "label" | "detail"> {
  if (kind === "error_group" && excerpt !== "") return { label: excerpt, detail: title };
  return { label: title, detail: kind === "comment" ? excerpt : undefined };
}

function hasWords(label: string, text: string): boolean {
  const lower = label.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
