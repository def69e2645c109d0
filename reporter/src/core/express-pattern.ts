import { attempt, filled, property } from "./safe.ts";

export interface RoutedRequest {
  originalUrl: string;
  route?: unknown;
  app?: unknown;
}

interface Match {
  path?: string;
  params?: Record<string, unknown>;
  /** The declared path; only in later releases of Express 5. */
  pattern?: unknown;
}

/** A layer of an Express 4 or 5 router. If `match` returns true, the match is in the layer's own properties. */
interface Layer extends Match {
  route?: unknown;
  handle?: { stack?: unknown };
  match?: (path: string) => Match | boolean;
  /** Express 4 only. */
  regexp?: RegExp;
}

/**
 * Returns the pattern of the route that served a request, including the prefixes of its routers. Express keeps only the
 * part of the URL that matched a prefix, so the routers are searched for the route again.
 */
export function expressPattern(request: RoutedRequest): string | undefined {
  const declared = property(request.route, "path");
  const own = filled(Array.isArray(declared) ? declared[0] : declared);
  if (own === undefined) return undefined;
  const stack = property(property(request.app, "_router") ?? property(request.app, "router"), "stack");
  const path = request.originalUrl.replace(/[?#].*/s, "");
  const mount = attempt(() => mountOf(stack, request.route, path)) ?? "";
  return own === "/" && mount ? mount : mount + own;
}

function mountOf(stack: unknown, route: unknown, path: string): string | undefined {
  if (!Array.isArray(stack)) return undefined;
  for (const layer of stack as Layer[]) {
    if (layer.route === route) return "";
    const found = Array.isArray(layer.handle?.stack) && layer.match?.(path);
    if (!found) continue;
    const match = found === true ? layer : found;
    const matched = match.path ?? "";
    const mount = declaredMount(match, matched, layer.regexp);
    const inner = mountOf(layer.handle?.stack, route, path.slice(matched.length) || "/");
    // Omit a prefix whose pattern is unknown: the matched text is part of the request's URL.
    if (inner !== undefined) return (mount ?? "") + inner;
  }
  return undefined;
}

function declaredMount({ pattern, params }: Match, matched: string, regexp?: RegExp): string | undefined {
  if (typeof pattern === "string") return pattern.replace(/\/+$/, "");
  // Express 4 compiles string patterns to this ending; any other is the application's own regular expression.
  if (pattern instanceof RegExp || (regexp && !regexp.source.endsWith("(?=\\/|$)"))) return undefined;
  const names = new Map(Object.entries(params ?? {}).map(([name, value]) => [value, name]));
  const segments = matched.split("/").map((segment) => {
    const name = names.get(decodeURIComponent(segment));
    return name === undefined || !names.delete(decodeURIComponent(segment)) ? segment : `:${name}`;
  });
  return names.size === 0 ? segments.join("/").replace(/\/+$/, "") : undefined;
}
