import { reporterOf } from "../core/integration.ts";
import { isReported, requestDetails, type RequestOptions, statusOf } from "../core/response.ts";

/** The used part of what SvelteKit passes to `handleError`, in `hooks.server` and `hooks.client`. */
export interface SvelteKitFailure {
  error: unknown;
  /** SvelteKit 2. */
  status?: number;
  /** SvelteKit 2. */
  message?: string;
  /** SvelteKit 3: `app` for errors of `error(…)`, `framework` such as 404, `validation`, or `unknown`. */
  kind?: string;
  event: { route: { id: string | null }; request?: { method: string } };
}

/**
 * Creates the hook `handleError` for `hooks.server` and `hooks.client`, which reports unexpected errors.
 *
 * @param handler the application's own hook; without it, the error is written to the console, as SvelteKit does
 */
export function svelteKitErrors<Failure extends SvelteKitFailure = SvelteKitFailure, Result = void>(
  handler?: (failure: Failure) => Result,
  options: RequestOptions<Failure["event"]> = {},
) {
  return (failure: Failure): Result | undefined => {
    const { error, event } = failure;
    const status = statusOfFailure(failure);
    const reporter = reporterOf(options);
    if (reporter && isReported(error, status, options)) {
      const context = {
        method: event.request?.method,
        pattern: event.route?.id ?? undefined,
        response_status: event.request && status,
      };
      reporter.captureOnce(error, requestDetails(event, options, { framework: "SvelteKit", context }), event);
    }
    if (handler) return handler(failure);
    // eslint-disable-next-line no-console -- see above
    if (status >= 500) console.error(error);
    return undefined;
  };
}

/** SvelteKit 2 calls the hook for unexpected errors only, SvelteKit 3 for all. */
function statusOfFailure({ status, kind, error }: SvelteKitFailure): number {
  return status ?? (kind === "unknown" ? 500 : Math.min(statusOf(error), 499));
}
