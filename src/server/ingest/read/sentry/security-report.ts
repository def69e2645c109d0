/** The class of a report's error and the parts of its message. */
type Violation = {
  exceptionClass: string;
  directive: string;
  blocked: string;
  document: string;
  source?: string;
};

type Json = Record<string, unknown>;

/**
 * Turns the body of a browser's security report into Sentry events, grouped by directive and blocked host: one report in
 * the older formats, a list of them in the Reporting API's. Reports of other types are left out.
 */
export function securityEvents(body: unknown, named: { release?: unknown; environment?: unknown }): object[] {
  const reports = Array.isArray(body) ? body : [body];
  return reports.flatMap((report) => {
    const violation = isObject(report) ? readViolation(report) : undefined;
    return violation ? [toEvent(violation, named)] : [];
  });
}

function readViolation(report: Json): Violation | undefined {
  const csp = report["csp-report"];
  if (isObject(csp)) return cspViolation(csp, text(csp["document-uri"]));
  const ct = report["expect-ct-report"];
  if (isObject(ct)) return headerViolation("ExpectCtViolation", "expect-ct", text(ct["hostname"]), ct);
  const { type, body, url } = report;
  if (!isObject(body)) return undefined;
  if (type === "csp-violation") return cspViolation(body, text(body["documentURL"]) || text(url));
  if (type === "coep")
    return headerViolation("CoepViolation", text(body["type"]) || "coep", text(body["blockedURL"]), report);
  if (type === "coop")
    return headerViolation("CoopViolation", text(body["type"]) || "coop", text(body["openeeURL"]), report);
  return undefined;
}

/** The Reporting API has the same fields as the older format, in camelCase. */
function cspViolation(csp: Json, document: string): Violation {
  const of = (...names: string[]) => text(names.map((name) => csp[name]).find((value) => text(value) !== ""));
  const [directive = ""] = of(
    "effective-directive",
    "effectiveDirective",
    "violated-directive",
    "violatedDirective",
  ).split(" ");
  const source = of("source-file", "sourceFile");
  const line = csp["line-number"] ?? csp["lineNumber"];
  return {
    exceptionClass: "CspViolation",
    directive: directive || "unknown",
    blocked: hostOf(of("blocked-uri", "blockedURL"), document),
    document,
    ...(source !== "" && {
      source: typeof line === "number" ? `${withoutQuery(source)}:${line}` : withoutQuery(source),
    }),
  };
}

function headerViolation(
  exceptionClass: string,
  directive: string,
  blocked: string,
  report: Json,
): Violation {
  const document = text(report["url"]);
  return { exceptionClass, directive, blocked: hostOf(blocked, document), document };
}

/** `self` for the page's own host. Keywords such as `inline` and `eval` stay as they are. */
function hostOf(blocked: string, document: string): string {
  if (!URL.canParse(blocked)) return blocked.slice(0, 255) || "self";
  const { host, protocol } = new URL(blocked);
  if (host === "") return protocol;
  return URL.canParse(document) && new URL(document).host === host ? "self" : host;
}

function toEvent(
  violation: Violation,
  { release, environment }: { release?: unknown; environment?: unknown },
): object {
  const { exceptionClass, directive, blocked, document, source } = violation;
  return {
    exception: { values: [{ type: exceptionClass, value: `${directive} blocked ${blocked}` }] },
    fingerprint: [exceptionClass, directive, blocked],
    platform: "javascript",
    ...(document !== "" && { request: { url: withoutQuery(document) } }),
    tags: { directive, blocked, ...(source !== undefined && { source }) },
    release,
    environment,
  };
}

const withoutQuery = (url: string) => url.replace(/[?#].*$/s, "");
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === "string" ? value : "");
