import { captureError } from "@signalbox/reporter";
import type { NextRequest } from "next/server";

export function proxy(request: NextRequest) {
  const error = new TypeError("proxy, with captureError");
  captureError(error, { context: { kind: "route", method: request.method, action: "proxy" } });
  throw error;
}

export const config = { matcher: "/blocked" };
