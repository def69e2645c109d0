import { constants, fstatSync, openSync, writeSync } from "node:fs";

/** How long to wait, once, for a full pipe. Its reader is slow or hangs, and must not block the server. */
const FULL_PIPE_MS = 100;

/**
 * Writes log lines to a file descriptor. Lines that cannot be written, for example because the disk is full, are dropped
 * and counted: a log must neither end the server nor fill its memory. `onLost` is called when writing works again.
 */
export class LogOutput {
  readonly #fd: number;
  readonly #onLost: (lines: number, cause: string) => void;
  #lost = 0;
  #cause = "";
  /** Whether only the start of a line was written before the disk was full. */
  #isLineCut = false;

  constructor(fd: number, onLost: (lines: number, cause: string) => void = () => {}) {
    this.#fd = withoutBlocking(fd);
    this.#onLost = onLost;
  }

  /** `text` ends with a line break. */
  write(text: string): void {
    try {
      this.#writeAll(this.#isLineCut ? `\n${text}` : text);
    } catch (error) {
      this.#lost++;
      this.#cause = (error as NodeJS.ErrnoException).code ?? String(error);
      return;
    }
    const lost = this.#lost;
    this.#lost = 0;
    if (lost > 0) this.#onLost(lost, this.#cause);
  }

  #writeAll(text: string) {
    const bytes = Buffer.from(text);
    let done = 0;
    const deadline = this.#lost > 0 ? -Infinity : performance.now() + FULL_PIPE_MS;
    while (done < bytes.length)
      try {
        done += writeSync(this.#fd, bytes, done);
        this.#isLineCut = done < bytes.length;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || performance.now() > deadline) throw error;
        pauseThread(5);
      }
  }
}

/**
 * Writing to an inherited pipe blocks the whole process while the pipe is full. Opening it once more gives a descriptor
 * that does not block, without changing the mode for other processes that share the pipe.
 */
function withoutBlocking(fd: number): number {
  try {
    if (process.platform !== "linux" || !fstatSync(fd).isFIFO()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // The pipe may belong to another account and cannot be opened again.
    return fd;
  }
}

function pauseThread(ms: number) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
