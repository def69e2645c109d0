import { Readable } from "node:stream";

/** A stream that fails with the error "late" after its first part was read. */
export function failingStream(): Readable {
  return Readable.from(
    (async function* () {
      yield "first part\n";
      // The first part, and the headers with it, has to reach the socket.
      await new Promise((done) => setImmediate(done));
      throw new Error("late");
    })(),
  );
}
