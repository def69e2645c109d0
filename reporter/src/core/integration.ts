import type { Described } from "./describe-request.ts";
import { type AnyReporter, currentReporter } from "./current.ts";

/** Options of every integration; `Subject` is its request or job. */
export interface IntegrationOptions<Subject> {
  /** Default: the reporter that `init` created, looked up when an error occurs. */
  reporter?: AnyReporter | undefined;
  /** Returns the id of the signed-in user, or of the user a job works for. Only its HMAC is sent. */
  userId?: ((subject: Subject) => string | number | null | undefined) | undefined;
}

export function reporterOf(options: { reporter?: AnyReporter | undefined }): AnyReporter | undefined {
  return options.reporter ?? currentReporter();
}

/** Runs a job. In Node, errors that it captures itself have the job's details. */
export function inScope<Result>(
  options: { reporter?: AnyReporter | undefined },
  subject: object,
  details: () => Described,
  run: () => Result,
): Result {
  const reporter = reporterOf(options);
  return reporter?.runInScope ? reporter.runInScope(subject, details, run) : run();
}
