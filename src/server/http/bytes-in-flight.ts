import type { ServerResponse } from "node:http";
import { overloaded } from "../answers/errors.ts";

/**
 * Maximum number of bytes of all bodies in flight; requests that would exceed it get 503. A body's bytes count as in
 * flight until its response is sent or the client disconnects.
 */
const MAX_BYTES_IN_FLIGHT = 256 * 1_048_576;
let inFlight = 0;

/** The bytes in flight of each credential that has any. */
const ofSenders = new Map<string, number>();
const senders = new WeakMap<ServerResponse, string>();

/** Counts the body of the request for the credential with this key. Call this before the body is read. */
export const setSender = (response: ServerResponse, key: string): void => void senders.set(response, key);

export const senderOf = (response: ServerResponse): string | undefined => senders.get(response);

/**
 * Whether this many more bytes may be read. A sender may use at most as much as it leaves free, so the requests of one
 * credential, such as the public key of a web page, never use up the room of all others.
 */
export function hasRoomInFlight(bytes: number, sender?: string): boolean {
  const own = sender === undefined ? 0 : (ofSenders.get(sender) ?? 0) + bytes;
  return inFlight + bytes + own <= MAX_BYTES_IN_FLIGHT;
}

/** Counts bytes as in flight. Subtract them when the response is closed. */
export function addInFlight(bytes: number, sender?: string): void {
  inFlight += bytes;
  if (sender === undefined) return;
  const own = (ofSenders.get(sender) ?? 0) + bytes;
  if (own > 0) ofSenders.set(sender, own);
  else ofSenders.delete(sender);
}

/**
 * Counts bytes as in flight until the returned function is called or the response closes, whichever comes first. 503 without
 * room.
 */
export function reserveInFlight(bytes: number, response: ServerResponse): () => void {
  const sender = senderOf(response);
  if (response.destroyed || !hasRoomInFlight(bytes, sender)) throw overloaded();
  addInFlight(bytes, sender);
  let isHeld = true;
  const release = () => {
    if (isHeld) addInFlight(-bytes, sender);
    isHeld = false;
    response.off("close", release);
  };
  response.once("close", release);
  return release;
}
