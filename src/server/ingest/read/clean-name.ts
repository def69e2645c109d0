import { count, type Removed, type RemoveValues } from "../remove-personal-data/rules.ts";
import { name, text } from "./coerce.ts";

/** A name of at most 255 characters, cut only after addresses have been removed. Most names have none. */
export function nameWithout(remove: RemoveValues, sent: unknown, removed: Removed): string | null {
  const whole = text(sent, MAX_NAME_LENGTH)?.trim() ?? "";
  const clean = MAY_HAVE_ADDRESS.test(whole) ? remove(whole, (rule) => count(rule, removed)) : whole;
  return name(clean);
}

const MAX_NAME_LENGTH = 1_000;

const MAY_HAVE_ADDRESS = /@|%40|:.*:|\d\.\d{1,3}\.\d{1,3}\.\d/s;

/** Matches a class or code, but not a sentence that an application uses as the name of an error. */
export const NAME = /^[\w.$:\\-]*$/;
