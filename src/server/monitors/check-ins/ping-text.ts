import type { IncomingMessage } from "node:http";
import { MAX_CHECK_IN_TEXT } from "../../../shared/monitors.ts";
import { streamBody } from "../../http/read-body.ts";
import { cut } from "../../ingest/read/coerce.ts";
import { BUILT_IN } from "../../ingest/remove-personal-data/built-in-rules.ts";
import { ownRulesIn, withOwnRules } from "../../ingest/remove-personal-data/own-rules.ts";
import { removeFromText } from "../../ingest/remove-personal-data/remove-personal-data.ts";

/** Bytes. Jobs may send their whole log, and a refused one would count as missed. */
const MAX_BODY = 20 * 1_048_576;

/** Milliseconds of CPU time for the project's own rules. */
const RULES_MS = 20;

/** A word that the limit cuts is dropped, because half of an email address is not recognized as personal data. */
const MAX_WORD_LENGTH = 320;

/** Reads a body of at most 20 MiB, and returns its first 10 KB. */
export async function readPingBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  await streamBody(request, { sent: MAX_BODY, decompressed: MAX_BODY }, (chunk) => {
    const isKept = size <= MAX_CHECK_IN_TEXT;
    if (isKept) chunks.push(chunk);
    size += chunk.length;
    return isKept;
  });
  const whole = Buffer.concat(chunks).subarray(0, MAX_CHECK_IN_TEXT).toString("utf8");
  const text = size > MAX_CHECK_IN_TEXT ? withoutLastWord(whole) : whole;
  return cut(text, MAX_CHECK_IN_TEXT) || null;
}

const withoutLastWord = (text: string) =>
  text.slice(0, -MAX_WORD_LENGTH) + text.slice(-MAX_WORD_LENGTH).replace(/\S+$/, "");

/** Removes personal data by the built-in rules and those of the project, which are JSON. */
export const cleanText = (text: string, privacyRules: string | null): string =>
  removeFromText(text, withOwnRules(BUILT_IN, ownRulesIn(privacyRules), RULES_MS), new Map());
