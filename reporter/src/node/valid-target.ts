import type { ProjectTarget } from "../core/target.ts";

/** Returns the target with its URL normalized, or a message that says what is wrong with it. */
export function validTarget(target: ProjectTarget | string): ProjectTarget | string {
  if (typeof target === "string") return target;
  const { url, headers } = target;
  // With a line break in the header, the request would throw an error that contains the key.
  if (!/^[\x20-\x7e]+$/.test(headers["authorization"] ?? "")) return "the key contains invalid characters";
  try {
    if (/^https?:\/\/[^/?#]/.test(url) && !/[?#]/.test(url)) return { url: new URL(url).href, headers };
  } catch {}
  return "url is not an HTTP URL";
}
