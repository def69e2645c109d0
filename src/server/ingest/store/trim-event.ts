import { cutBytes } from "../read/cut-bytes.ts";
import type { ReadEvent } from "../read/read-event.ts";

/** Bytes that remain of each text, enough to recognize the error. */
const MESSAGE_BYTES = 1_024;
const TRACE_BYTES = 2_048;
const RELEASE_BYTES = 255;

/** The most previous exceptions, and the bytes that remain of their messages. Their traces are removed. */
const PREVIOUS = 3;
const PREVIOUS_BYTES = 256;

/** The event with short texts and without additions. Its fingerprint stays, so it counts in the same group. */
export const trimEvent = (event: ReadEvent): ReadEvent => ({
  ...event,
  message: cutBytes(event.message, MESSAGE_BYTES),
  stack_trace: cutBytes(event.stack_trace, TRACE_BYTES),
  release: event.release && cutBytes(event.release, RELEASE_BYTES),
  previous_exceptions: event.previous_exceptions.slice(0, PREVIOUS).map(({ exception_class, message }) => ({
    exception_class,
    message: cutBytes(message, PREVIOUS_BYTES),
    stack_trace: "",
  })),
  additions: null,
  most_bytes: null,
});
