import type { JsonRecord } from "../../error-events/coerce.ts";
import { BUILT_IN } from "../../personal-data/built-in-rules.ts";
import { removeFromText } from "../../personal-data/remove-personal-data.ts";
import type { Rules } from "../../personal-data/rules.ts";
import { renderFrames } from "./frames.ts";
import { isShared, remembered } from "./remembered.ts";
import type { UserRule } from "./user.ts";
import { Words } from "./words.ts";

/** `rules` are the built-in ones, then those of the event's user and of the project. */
export type OfTrace = { rules: Rules; ofUser: UserRule | undefined; hasOwnRules: boolean };

/**
 * The frames as people see them, without personal data in the names of functions and files. What is removed is not counted
 * here, because it is in the frames as well. The built-in rules remove the same from equal frames, so what many events share is
 * searched only once, unless something of the event's user may be in it.
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

/** Frames of a recursion have the same names, which are searched only once. */
function removeWith(rules: Rules): (name: string) => string {
  const removed = new Map();
  const known = new Map<string, string>();
  return (name) => {
    let clean = known.get(name);
    if (clean === undefined) known.set(name, (clean = removeFromText(name, rules, removed)));
    return clean;
  };
}

/** Finding the words of a trace takes longer than searching it once. */
function mayHaveUser(frames: readonly JsonRecord[], trace: string, ofUser: UserRule): boolean {
  if (isShared(frames)) return ofUser.mayFind(remembered(frames, wordsOfTrace));
  return ofUser.remove(trace, () => "") !== trace;
}

const wordsOfTrace = (frames: readonly JsonRecord[]): Words =>
  new Words([remembered(frames, withoutPersonalData)]);
