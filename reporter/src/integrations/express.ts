import { expressPattern, type RoutedRequest } from "../core/express-pattern.ts";
import { describeRequest } from "../core/describe-request.ts";
import {
  captureWithResponse,
  type NodeResponse,
  requestDetails,
  type RequestOptions,
} from "../core/response.ts";

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
  const origin = (request: Request) => ({
    framework: "Express",
    context: { method: request.method, pattern: expressPattern(request) },
    subject: request,
  });

  // Express recognizes error handlers by their four parameters.
  const handler = (
    error: unknown,
    request: Request,
    response: NodeResponse,
    next: (error?: unknown) => void,
  ): void => {
    captureWithResponse(error, request, response, options, origin(request));
    next(error);
  };
  describeRequest(handler, (request: Request) => requestDetails(request, options, origin(request)));
  return handler;
}
