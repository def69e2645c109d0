import { reporterOf } from "../core/integration.ts";
import { requestDetails, type RequestOptions } from "../core/response.ts";

/** The used part of the request that Next.js passes to `onRequestError`. */
export interface NextRequest {
  method: string;
  headers: Record<string, string | string[] | undefined>;
}

/** What Next.js says about where an error occurred. */
export interface NextErrorContext {
  routePath: string;
  routeType: string;
}

/** Creates the function `onRequestError` of `instrumentation.ts`, for the Node and the edge runtime (Next.js 15). */
export function nextErrors<Request extends NextRequest = NextRequest>(
  options: Omit<RequestOptions<Request>, "report"> = {},
) {
  return async (
    error: unknown,
    request: Readonly<Request>,
    { routePath, routeType }: Readonly<NextErrorContext>,
  ) => {
    const reporter = reporterOf(options);
    if (!reporter) return;
    const context = {
      method: request.method,
      pattern: declaredPath(routePath),
      action: routeType,
      response_status: 500,
    };
    reporter.captureOnce(
      error,
      requestDetails(request as Request, options, { framework: "Next.js", context }),
    );
    // A serverless platform may stop the process after the response; Next.js waits for this promise there.
    await reporter.flush();
  };
}

/** `/shop/[id]` of `/shop/[id]/page`, `/shop/[id]/route` or `/(group)/shop/[id]/page`. */
function declaredPath(routePath: string | undefined): string | undefined {
  if (!routePath) return undefined;
  return routePath.replace(/\/(page|route)$/, "").replaceAll(/\/\([^/]*\)/g, "") || "/";
}
