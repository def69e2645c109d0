import { at, name, record, text, type JsonRecord } from "../../coerce.ts";
import { browserOf } from "../../../../http/browser-of.ts";

type NameAndVersion = { name: string | null; version: string | null };

/** The language's runtime, or the browser. `userAgent` is the header of the request that brought the event. */
export function runtimeOf(event: JsonRecord, userAgent: string | undefined): NameAndVersion {
  const contexts = record(event.contexts);
  for (const context of [contexts.runtime, contexts.browser]) {
    const { name: sentName, version } = record(context);
    const runtime = name(sentName);
    if (runtime !== null)
      return {
        name: isVendor(event, context) ? "Java" : runtime,
        version: bareVersion(runtime, name(version)),
      };
  }
  // On a server, User-Agent names its client.
  if (event.platform !== "javascript") return { name: null, version: null };
  return browserOf(header(event, "user-agent") ?? userAgent ?? "");
}

/** Java's SDK sends the vendor as the runtime's name: `Debian`, `Eclipse Adoptium`. */
const isVendor = (event: JsonRecord, context: unknown): boolean =>
  event.platform === "java" && context === record(event.contexts).runtime;

/** Go and Ruby repeat the name: `go1.26.1`, `ruby 3.4.1 (2024-12-25 revision 48d4efcb85) [x86_64-linux]`. */
function bareVersion(runtime: string, version: string | null): string | null {
  if (!version?.toLowerCase().startsWith(runtime.toLowerCase())) return version;
  return /^ ?(\d\S*)/.exec(version.slice(runtime.length))?.[1] ?? version;
}

/** A header of the request that failed. */
export function header(event: JsonRecord, wanted: string): string | undefined {
  const headers = record(at(event, "request", "headers"));
  const key = Object.keys(headers).find((sent) => sent.toLowerCase() === wanted);
  return key === undefined ? undefined : (text(headers[key], 1_000) ?? undefined);
}
