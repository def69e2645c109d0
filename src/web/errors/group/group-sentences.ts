import type { ErrorGroupActivity } from "../../../shared/error-group-work.ts";
import { conditionText } from "../../data/errors/snooze-text.ts";

/** Current names for the ids in a history; undefined for what was deleted or cannot be read. */
type Names = {
  person: (id: number) => string | undefined;
  issue: (id: number) => string | undefined;
};

type Entry = Pick<ErrorGroupActivity, "kind" | "from" | "to" | "actor_id">;

/** What happened, after the name of the actor if there is one: "resolved it in 4.1.0", "Regressed in 4.2.0". */
export function groupSentence(entry: Entry, names: Names): string {
  const sentence = sentenceOf(entry, names);
  // What only people do, by one whose account was deleted.
  return entry.actor_id === null && /^[a-z]/.test(sentence) ? `Someone ${sentence}` : sentence;
}

function sentenceOf({ kind, from, to, actor_id }: Entry, { person, issue }: Names): string {
  const acted = actor_id !== null;
  const inRelease = typeof to === "string" ? ` in ${to}` : "";
  switch (kind) {
    case "first_seen":
      return `First seen${inRelease}`;
    case "first_in_release":
      return `Seen for the first time${inRelease}`;
    case "resolved":
      if (isByMonitor(from)) return "Resolved by its monitor";
      return `${acted ? "resolved it" : "Resolved"}${inRelease || resolvedIn(to)}`;
    case "reopened":
      if (acted) return "reopened it";
      return `Reopened${isCondition(from) ? `: it was snoozed ${conditionText(from)}` : ""}`;
    case "regressed":
      return `Regressed${inRelease}${typeof from === "string" ? ` after it was resolved in ${from}` : ""}`;
    case "ignored":
      return acted ? "ignored it" : "Ignored";
    case "snoozed":
      return `snoozed it${isCondition(to) ? ` ${conditionText(to)}` : ""}`;
    case "assigned":
      return assigned(from, to, actor_id, person);
    case "linked":
      return `linked it to ${issueName(to, issue)}`;
    case "unlinked":
      return `unlinked it from ${issueName(from, issue)}`;
    case "merged":
      return `merged ${mergedName(from)} into it`;
    case "split":
      return `split ${mergedName(from)} off; its new events form an error of their own`;
    case "verified":
      return `Fix verified${inRelease}`;
  }
}

const isByMonitor = (from: unknown): boolean =>
  typeof from === "object" && from !== null && "monitor" in from;

/** A group that was merged, or a fingerprint that was split off. */
function mergedName(from: unknown): string {
  const { exception_class, error_group_id } = (from ?? {}) as Record<string, unknown>;
  if (typeof exception_class !== "string") return "another error";
  return typeof error_group_id === "number" ? `${exception_class} (#${error_group_id})` : exception_class;
}

type Condition = Parameters<typeof conditionText>[0];

const isCondition = (value: unknown): value is Condition =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A resolution that names the next release or one that is yet to come. */
function resolvedIn(to: unknown): string {
  const { mode, release } = (to ?? {}) as { mode?: unknown; release?: unknown };
  if (mode === "next_release") return " in the next release";
  return typeof release === "string" ? ` in ${release}` : "";
}

const issueName = (id: unknown, issue: Names["issue"]): string =>
  (typeof id === "number" && issue(id)) || "a deleted issue";

function assigned(from: unknown, to: unknown, actor: number | null, person: Names["person"]): string {
  const before = typeof from === "number" ? (person(from) ?? "someone") : undefined;
  if (typeof to !== "number") return `unassigned ${before ?? "it"}`;
  const after = to === actor ? "themselves" : (person(to) ?? "someone");
  return before === undefined ? `assigned ${after}` : `assigned ${after} instead of ${before}`;
}
