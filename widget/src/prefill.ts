import { asObject, onlyTexts, text } from "./settings.ts";

/** What a page knows about the visitor. */
export type Prefill = { email?: string; name?: string; tags?: Record<string, string> };

const MAX_TAGS = 50;
const MAX_TAG = 200;

/** Reads what a page passes. Leaves out what the server would refuse, because the visitor could not correct it. */
export function readPrefill(values: unknown): Prefill {
  const { email, name, tags } = asObject(values);
  const prefill: Prefill = {};
  const address = text(email);
  if (address !== undefined && isEmail(address)) prefill.email = address;
  const line = text(name)?.replace(/\s+/g, " ").slice(0, 255);
  if (line !== undefined) prefill.name = line;
  if (typeof tags === "object" && tags !== null && !Array.isArray(tags)) {
    const entries = Object.entries(onlyTexts(tags)).slice(0, MAX_TAGS);
    prefill.tags = Object.fromEntries(
      entries.map(([key, value]) => [key.slice(0, MAX_TAG), value.slice(0, MAX_TAG)]),
    );
  }
  return prefill;
}

export function isEmail(value: string): boolean {
  return (
    value.length <= 254 && /^[^\s@,;<>"()[\]\\:]+@[^\s@,;<>"()[\]\\:]+\.[^\s@,;<>"()[\]\\:]+$/.test(value)
  );
}
