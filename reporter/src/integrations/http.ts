import type { IncomingMessage, ServerResponse } from "node:http";
import { describeRequest } from "../core/describe-request.ts";
import { reporterOf } from "../core/integration.ts";
import { requestDetails, type RequestOptions } from "../core/response.ts";
import { attempt } from "../core/safe.ts";

/** Options of the integration with node:http. */
export interface HttpOptions extends Omit<RequestOptions<IncomingMessage>, "report"> {
  /** Returns the declared pattern of a request's route, such as `/users/:id`; never its URL. Default none. */
  pattern?: ((request: IncomingMessage) => string | undefined) | undefined;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Wraps a request listener of node:http to report errors that it throws or that its promise rejects with. The error is
 * rethrown.
 */
export function httpErrors(listener: Listener, options: HttpOptions = {}): Listener {
  function details(request: IncomingMessage) {
    const context = { method: request.method, pattern: attempt(() => options.pattern?.(request)) };
    const { framework: _, ...known } = requestDetails(request, options, { framework: "", context });
    return known;
  }

  function report(error: unknown, request: IncomingMessage): never {
    reporterOf(options)?.captureOnce(error, details(request), request);
    throw error;
  }

  return function wrapped(this: unknown, request, response) {
    let result: unknown;
    describeRequest(request, () => details(request));
    try {
      result = listener.call(this, request, response);
    } catch (error) {
      report(error, request);
    }
    return result instanceof Promise ? result.catch((error: unknown) => report(error, request)) : result;
  };
}
