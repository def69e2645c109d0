import { badRequest } from "../../answers/errors.ts";
import type { ReadEvent } from "../error-events/read-event.ts";
import { readSentryEvent, type Sender } from "./read-sentry-event.ts";

/** Reads the JSON of an `event` item. Undefined if nothing is to be stored. 400 if it is not JSON. */
export const readSentryBytes = (bytes: Buffer, sender: Sender): ReadEvent | undefined =>
  readSentryEvent(parseJson(bytes), sender);

/** Bytes that are not UTF-8 are replaced, so that no event is lost because of its encoding. 400 if it is not JSON. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw badRequest("The event or report is not valid JSON.");
  }
}
