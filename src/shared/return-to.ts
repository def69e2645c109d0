import { z } from "zod";
import { mustBe } from "./text.ts";

const MAX_LENGTH = 2_000;
const PLACEHOLDER_ORIGIN = "http://app.invalid";

// oxlint-disable-next-line no-control-regex -- browsers strip some control characters from URLs before parsing
const UNSAFE = /[\\\u0000-\u0020\u007f]/;

/** A path of the app, with query and fragment, to open after signing in. Prevents open redirects: no other host. */
export const returnTo = z
  .string(mustBe("a path of the app"))
  .max(MAX_LENGTH, `must be at most ${MAX_LENGTH} characters`)
  .transform((value, context) => {
    const path = localPath(value);
    if (path !== undefined) return path;
    context.addIssue({ code: "custom", message: "must be a path of the app" });
    return z.NEVER;
  });

/** Adds parameters to the query of a path. */
export function withQuery(path: string, parameters: Record<string, string>): string {
  const url = new URL(path, PLACEHOLDER_ORIGIN);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The path as a browser parses it. Checked again after parsing: removing dot segments can leave `//` at the start. */
function localPath(value: string): string | undefined {
  if (!value.startsWith("/") || UNSAFE.test(value) || !URL.canParse(value, PLACEHOLDER_ORIGIN))
    return undefined;
  const { origin, pathname, search, hash } = new URL(value, PLACEHOLDER_ORIGIN);
  return origin === PLACEHOLDER_ORIGIN && !pathname.startsWith("//")
    ? `${pathname}${search}${hash}`
    : undefined;
}
