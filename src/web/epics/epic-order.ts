import type { Epic } from "../../shared/epics.ts";
import { compareText } from "../kit/compare-text.ts";

export const STATES = ["open", "done", "all"] as const;
export type Shown = (typeof STATES)[number];

export const asShown = (text: string | undefined): Shown => STATES.find((state) => state === text) ?? "open";

export function epicsIn(epics: readonly Epic[], shown: Shown): Epic[] {
  return epics.filter(({ state }) => shown === "all" || state === shown).toSorted(byUrgency);
}

/** The epics of any of the owners: ids, `me` or `none`. All epics if none is given. */
export function ownedBy(epics: readonly Epic[], owners: readonly string[], me: number): readonly Epic[] {
  if (owners.length === 0) return epics;
  const wanted = new Set(owners.map((owner) => (owner === "me" ? String(me) : owner)));
  return epics.filter(({ owner_id }) => wanted.has(String(owner_id ?? "none")));
}

/** Open epics first, by end date, those without one last; then done epics by last change. */
function byUrgency(a: Epic, b: Epic): number {
  if (a.state !== b.state) return a.state === "open" ? -1 : 1;
  if (a.state === "done") return compareText(b.updated_at, a.updated_at);
  return compareText(a.ends_on ?? "9", b.ends_on ?? "9") || a.id - b.id;
}
