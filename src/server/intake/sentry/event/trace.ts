import type { JsonRecord } from "../../error-events/coerce.ts";
import { BUILT_IN } from "../../personal-data/built-in-rules.ts";
import { removeFromText } from "../../personal-data/remove-personal-data.ts";
import type { Rules } from "../../personal-data/rules.ts";
import { renderFrames } from "./frames.ts";
import { isShared, remembered } from "./remembered.ts";
import type { UserRule } from "./user.ts";
import { Words } from "./words.ts";

/** `rules` are the built-in rules, followed by the rule for the event's user and the project's own rules. */
export type OfTrace = { rules: Rules; ofUser: UserRule | undefined; hasOwnRules: boolean };

/**
 * The trace as people see it, without personal data in the names of functions and files. Removals are not counted here,
 * because they are counted in the frames. The result of the built-in rules is cached for shared frames, so a trace is searched
 * again only if it may contain a value of the event's user.
 */
export function traceOf(frames: readonly JsonRecord[], { rules, ofUser, hasOwnRules }: OfTrace): string {
  if (hasOwnRules) return renderFrames(frames, removeWith(rules));
  const trace = remembered(frames, withoutPersonalData);
  return ofUser && mayHaveUser(frames, trace, ofUser) ? renderFrames(frames, removeWith(rules)) : trace;
}

const withoutPersonalData = (frames: readonly JsonRecord[]): string => {
  const removed = new Map();
  return renderFrames(frames, (name) => removeFromText(name, BUILT_IN, removed));
};

/** Searches each name only once, because frames of a recursion repeat their names. */
function removeWith(rules: Rules): (name: string) => string {
  const removed = new Map();
  const known = new Map<string, string>();
  return (name) => {
    let clean = known.get(name);
    if (clean === undefined) known.set(name, (clean = removeFromText(name, rules, removed)));
    return clean;
  };
}

/** Collecting the words of a trace takes longer than searching it once, so that is done only for shared frames. */
function mayHaveUser(frames: readonly JsonRecord[], trace: string, ofUser: UserRule): boolean {
  if (isShared(frames)) return ofUser.mayFind(remembered(frames, wordsOfTrace));
  return ofUser.remove(trace, () => "") !== trace;
}

const wordsOfTrace = (frames: readonly JsonRecord[]): Words =>
  new Words([remembered(frames, withoutPersonalData)]);
