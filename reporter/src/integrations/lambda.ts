import type { Context } from "../core/event.ts";
import { type IntegrationOptions, reporterOf } from "../core/integration.ts";
import { attempt, filled, property } from "../core/safe.ts";

/** The used part of Lambda's context. */
export interface LambdaContext {
  functionName: string;
  getRemainingTimeInMillis(): number;
}

export interface LambdaOptions extends IntegrationOptions<unknown> {
  /** How long an invocation may wait until its errors are sent, in milliseconds. Default 2,000. */
  flushMs?: number | undefined;
}

/** Time that an invocation keeps for itself when it waits for the reporter, in milliseconds. */
const RESERVE_MS = 200;

/**
 * Wraps a handler of AWS Lambda that returns a promise. Reports the error that it rejects with, and waits until all
 * events are sent: Lambda freezes the process after the response. The error is rethrown.
 */
export function lambdaErrors<Arguments extends unknown[], Result>(
  handler: (...args: Arguments) => Result | Promise<Result>,
  options: LambdaOptions = {},
): (...args: Arguments) => Promise<Result> {
  return async (...args) => {
    const [event] = args;
    // A streaming handler has a stream between the event and the context.
    const context = args.find((arg) => typeof property(arg, "getRemainingTimeInMillis") === "function") as
      | LambdaContext
      | undefined;
    try {
      return await handler(...args);
    } catch (error) {
      reporterOf(options)?.captureOnce(
        error,
        {
          userId: attempt(() => options.userId?.(event)) ?? undefined,
          framework: { name: "AWS Lambda" },
          context: routeOf(event) ?? jobOf(event, context),
        },
        context,
      );
      throw error;
    } finally {
      const left = attempt(() => context?.getRemainingTimeInMillis()) ?? Infinity;
      await reporterOf(options)?.flush(Math.max(0, Math.min(options.flushMs ?? 2000, left - RESERVE_MS)));
    }
  };
}

/** The route of API Gateway (`GET /orders/{id}`, or REST's resource and method); `$default` is not a pattern. */
function routeOf(event: unknown): Context | undefined {
  const [method, pattern] = filled(property(event, "routeKey"))?.split(" ") ?? [];
  if (pattern) return { kind: "route", method, pattern, response_status: 500 };
  const http = property(property(event, "requestContext"), "http");
  const verb = filled(property(event, "httpMethod") ?? property(http, "method"));
  if (!verb) return undefined;
  return { kind: "route", method: verb, pattern: filled(property(event, "resource")), response_status: 500 };
}

/** A job named after the function, with the queue of SQS. */
function jobOf(event: unknown, context: LambdaContext | undefined): Context {
  const [record] = attempt(() => property(event, "Records") as unknown[]) ?? [];
  const attempts = Number(property(property(record, "attributes"), "ApproximateReceiveCount"));
  return {
    kind: "job",
    name: context?.functionName,
    queue: filled(property(record, "eventSourceARN"))?.split(":").at(-1),
    attempt: attempts || undefined,
  };
}
