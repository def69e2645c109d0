import { z } from "zod";
import { mustBe } from "./text.ts";

const MOST = 2_000;
const NOWHERE = "http://app.invalid";

// oxlint-disable-next-line no-control-regex -- browsers drop some of them before they read an address
const UNSAFE = /[\\\u0000-\u0020\u007f]/;

/** A page of the app to go on to: a path with what follows it. Nothing a browser could take for another host. */
export const returnTo = z
  .string(mustBe("a path of the app"))
  .max(MOST, `must be at most ${MOST} characters`)
  .transform((value, context) => {
    const path = localPath(value);
    if (path !== undefined) return path;
    context.addIssue({ code: "custom", message: "must be a path of the app" });
    return z.NEVER;
  });

/** The page with more in its query. */
export function pathOf(path: string, more: Record<string, string>): string {
  const url = new URL(path, NOWHERE);
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The path as a browser reads it; checked afterwards, too, because dots can leave two slashes at its beginning. */
function localPath(value: string): string | undefined {
  if (!value.startsWith("/") || UNSAFE.test(value) || !URL.canParse(value, NOWHERE)) return undefined;
  const { origin, pathname, search, hash } = new URL(value, NOWHERE);
  return origin === NOWHERE && !pathname.startsWith("//") ? `${pathname}${search}${hash}` : undefined;
}
