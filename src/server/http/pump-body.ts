import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { badRequest, HttpError, overloaded, requestTimeout, tooLarge } from "../answers/errors.ts";
import { addInFlight, hasRoomInFlight, senderOf } from "./bytes-in-flight.ts";

type Expected = {
  response: ServerResponse;
  silentMs: number;
  /** The client's address, as `clientAddress` returns it. */
  address: () => string;
};
const expected = new WeakMap<IncomingMessage, Expected>();

/**
 * Call this before reading the request's body, whose bytes count as in flight until the response closes. If no data
 * arrives for `silentMs`, reading the body fails with 408.
 */
export function expectBody(request: IncomingMessage, body: Expected): void {
  expected.set(request, body);
}

export function expectedBody(request: IncomingMessage): Expected {
  const body = expected.get(request);
  if (!body) throw new Error("expectBody was not called before the body was read");
  return body;
}

/**
 * Processes a chunk and returns whether it keeps any part of it. May throw to reject the body. If it returns a promise, the next
 * chunk is read after the promise is fulfilled.
 */
export type Take = (chunk: Buffer) => boolean | Promise<boolean>;

/** Passes the chunks of `stream`, which is the request or its decompressed body, to `take`. */
export function pumpBody(
  request: IncomingMessage,
  stream: Readable,
  limit: number,
  take: Take,
): Promise<void> {
  const { response, silentMs } = expectedBody(request);
  const sender = senderOf(response);
  return new Promise((resolve, reject) => {
    // If the client is already gone, no further event will fire.
    if (response.destroyed || request.destroyed) return reject(endedEarly());
    let size = 0;
    let kept = 0;
    let isReading = true;
    const silence = setTimeout(() => fail(requestTimeout()), silentMs);
    const finish = (settle: () => void) => {
      isReading = false;
      clearTimeout(silence);
      stream.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
      settle();
    };
    const fail = (error: Error) => {
      finish(() => reject(error));
      // Discard the rest of the stream; an error event without a listener would crash the process.
      stream.on("error", () => {}).resume();
    };
    const onData = (chunk: Buffer) => {
      silence.refresh();
      size += chunk.length;
      if (size > limit) return fail(tooLarge());
      try {
        const isKept = take(chunk);
        if (isKept === true) count(chunk);
        else if (isKept) waitFor(isKept, chunk);
      } catch (error) {
        fail(error as Error);
      }
    };
    const count = (chunk: Buffer) => {
      if (!hasRoomInFlight(chunk.length, sender)) return fail(overloaded());
      kept += chunk.length;
      addInFlight(chunk.length, sender);
    };
    const waitFor = (isKept: Promise<boolean>, chunk: Buffer) => {
      stream.pause();
      isKept.then(
        (answer) => {
          if (!isReading) return;
          if (answer) count(chunk);
          stream.resume();
        },
        (error: Error) => isReading && fail(error),
      );
    };
    const onEnd = () => finish(resolve);
    const onError = (error: Error) =>
      fail(error instanceof HttpError ? error : badRequest("The body could not be read."));
    const onClose = () => fail(endedEarly());
    response.once("close", () => {
      if (isReading) onClose();
      addInFlight(-kept, sender);
    });
    stream.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
  });
}

const endedEarly = () => badRequest("The body ended early.");
