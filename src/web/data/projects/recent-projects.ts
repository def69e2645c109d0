import { RECENT_PROJECT } from "../../../shared/recent-project.ts";
import { stored } from "../../state/stored.ts";

const MAX_KEPT = 8;

const NONE: readonly string[] = [];

const kept = stored("recent-projects", parseKeys, NONE);

function parseKeys(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((key) => typeof key === "string") : undefined;
}

/** The keys of projects opened in this browser, most recent first. */
export function recentProjects(): readonly string[] {
  return kept.read();
}

/** `localeCompare` with options creates a collator for each comparison. */
const { compare } = new Intl.Collator(undefined, { numeric: true });

/** Recently opened projects first, then the others by name. */
export function byRecency<T extends { key: string; name: string }>(projects: readonly T[]): T[] {
  const recent = recentProjects();
  const rank = (key: string) => (recent.includes(key) ? recent.indexOf(key) : recent.length);
  return projects.toSorted((a, b) => rank(a.key) - rank(b.key) || compare(a.name, b.name));
}

export function rememberProject(key: string): void {
  const others = recentProjects().filter((other) => other !== key);
  kept.write([key, ...others].slice(0, MAX_KEPT));
  // The HTML of a page outside of projects requests what the sidebar shows of this one.
  document.cookie = `${RECENT_PROJECT}=${key}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}

const YEAR_SECONDS = 365 * 86_400;
