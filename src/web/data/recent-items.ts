import { stored } from "../state/stored.ts";

/** One more than the palette lists, because it leaves out the page that is open. */
const MAX_KEPT = 6;

const PAGE = /^\/projects\/([^/]+)\/(issues|epics|reports|errors)\/([^/]+)$/;

/** The page of an issue, epic, report or error. */
export type RecentItem = { projectKey: string; page: "issues" | "epics" | "reports" | "errors"; ref: string };

/**
 * The paths of the pages that a person opened last in this browser, latest first. Titles are not kept: they are read when
 * they are shown, so the browser has none of an item that the person may no longer read, or after signing out.
 */
const keptFor = (person: number) => stored(`recent:${person}`, parsePaths, NONE);

const NONE: readonly string[] = [];

function parsePaths(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((path) => typeof path === "string") : undefined;
}

export function recentItems(person: number): (RecentItem & { path: string })[] {
  return keptFor(person)
    .read()
    .flatMap((path) => {
      const [, projectKey, page, ref] = PAGE.exec(path) ?? [];
      if (!projectKey || !page || !ref) return [];
      return [{ path, projectKey, page: page as RecentItem["page"], ref }];
    });
}

/** Remembers a path if it is the page of an item. */
export function rememberItem(person: number, path: string): void {
  if (!PAGE.test(path)) return;
  const kept = keptFor(person);
  kept.write([path, ...kept.read().filter((other) => other !== path)].slice(0, MAX_KEPT));
}

/** Forgets an item that was deleted or is no longer readable. */
export function forgetItem(person: number, path: string): void {
  const kept = keptFor(person);
  const left = kept.read().filter((other) => other !== path);
  kept.write(left.length === 0 ? NONE : left);
}

export const forgetItems = (person: number): void => keptFor(person).write(NONE);
