import { hash } from "node:crypto";
import { originOf } from "./stack-trace.ts";
import type { FoundException } from "./find-exceptions.ts";

/**
 * Seconds. An exception that leaves several spans and is logged arrives several times, from different exporters and perhaps on different
 * nodes. Repetitions within this time count once.
 */
const WINDOW = 60;

/** Seconds. The id of an event contains the period in which it occurred, so that repetitions have the same id. */
const PERIOD = 20;

/** `id` is null if the exception cannot be told from others. `nearby` are the ids that the same exception has if it occurred within the window before or after. */
export type ExceptionId = { id: string | null; nearby: string[] };

/** Tells exceptions of the same trace, class, message and origin within the window from others, in one request. */
export class ExceptionIds {
  /** The times of the exceptions with ids, in seconds. */
  readonly #times = new Map<string, number[]>();
  readonly #withoutTrace = new Map<string, number>();
  readonly #now: number;

  /** `now` in milliseconds since 1970 stands for times that were not sent. */
  constructor(now: number) {
    this.#now = now;
  }

  /**
   * The id of the exception; null if it repeats an earlier one. Without a trace, each exception counts; one that is sent again after
   * a lost response has the same id. `content` is what was sent.
   */
  next({ exception, time }: FoundException, content: string): ExceptionId | null {
    const { traceId, type, message, stacktrace } = exception;
    if (traceId === null)
      return { id: time === "0" ? null : this.#idWithoutTrace(`${time} ${content}`), nearby: [] };
    const key = digest(JSON.stringify([traceId, simpleName(type), message, originOf(stacktrace ?? "")]));
    const seconds = time === "0" ? this.#now / 1_000 : Number(time) / 1e9;
    const times = this.#times.get(key) ?? [];
    if (times.some((other) => Math.abs(other - seconds) < WINDOW)) return null;
    this.#times.set(key, [...times, seconds]);
    const period = Math.floor(seconds / PERIOD);
    const steps = WINDOW / PERIOD;
    const idAt = (step: number) => digest(`${key} ${period + step}`).slice(0, 32);
    const nearby = Array.from({ length: steps }, (_, n) => [idAt(-n - 1), idAt(n + 1)]).flat();
    return { id: idAt(0), nearby };
  }

  /** Exceptions that are equal in everything are told apart by their order. */
  #idWithoutTrace(content: string): string {
    const key = digest(content);
    const count = (this.#withoutTrace.get(key) ?? 0) + 1;
    this.#withoutTrace.set(key, count);
    return digest(`${key} ${count}`).slice(0, 32);
  }
}

/** In Python, spans have the class with its module, and log records without. */
const simpleName = (type: string | null): string => type?.slice(type.lastIndexOf(".") + 1) ?? "";

const digest = (text: string): string => hash("sha256", text, "hex");
