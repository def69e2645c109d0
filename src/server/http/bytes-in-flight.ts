/**
 * Maximum number of bytes of all bodies in flight; requests that would exceed it get 503. A body's bytes count as in
 * flight until its response is sent or the client disconnects.
 */
const IN_FLIGHT_LIMIT = 256 * 1_048_576;
let inFlight = 0;

/** Whether so many further bytes may be read. */
export const hasRoomInFlight = (bytes: number): boolean => inFlight + bytes <= IN_FLIGHT_LIMIT;

/** Counts bytes as in flight. Subtract them when the response is closed. */
export function addInFlight(bytes: number): void {
  inFlight += bytes;
}
