import { expressPattern, type RoutedRequest } from "../core/express-pattern.ts";
import { captureWithResponse, type NodeResponse, type RequestOptions } from "../core/response.ts";

/** The used part of an Express request; annotate your callbacks with `express.Request`. */
export interface ExpressRequest extends RoutedRequest {
  method: string;
}

/**
 * Creates an error handler for Express 4 and 5 that reports an error and passes it on. Add it after the routes and
 * before the application's own error handlers.
 */
export function expressErrors<Request extends ExpressRequest = ExpressRequest>(
  options: RequestOptions<Request> = {},
) {
  // Express recognizes error handlers by their four parameters.
  return (
    error: unknown,
    request: Request,
    response: NodeResponse,
    next: (error?: unknown) => void,
  ): void => {
    const context = { method: request.method, pattern: expressPattern(request) };
    const origin = { framework: "Express", context, subject: request };
    captureWithResponse(error, request, response, options, origin);
    next(error);
  };
}
