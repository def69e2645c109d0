import type { EVENT_KINDS } from "./event-names.ts";

type Kind = (typeof EVENT_KINDS)[number];

export const hasEvent = (chosen: readonly string[], event: string): boolean =>
  chosen.includes(event) || chosen.includes(`${event.split(".")[0]}.*`);

/** Adds or removes an event. Removing one of a whole kind leaves the others of the kind. */
export function withEvent(chosen: readonly string[], kind: Kind, event: string, on: boolean): string[] {
  const others = chosen.filter((name) => name !== event && name !== `${kind.kind}.*`);
  if (on) return [...others, event];
  if (!chosen.includes(`${kind.kind}.*`)) return others;
  return [...others, ...kind.events.map(({ value }) => value).filter((value) => value !== event)];
}

/** Adds or removes a kind as a whole, with its future events. */
export function withKind(chosen: readonly string[], { kind }: Kind, on: boolean): string[] {
  const others = chosen.filter((name) => !name.startsWith(`${kind}.`));
  return on ? [...others, `${kind}.*`] : others;
}
