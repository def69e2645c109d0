import { h } from "../dom.ts";
import type { Texts } from "../texts/texts.ts";
import { lastErrorId, pageRelease } from "./last-error.ts";

/** What is sent with the visitor's text, in the names of the API. */
export type Facts = {
  page?: string | undefined;
  viewport: string;
  language: string;
  release?: string | undefined;
  error_event_id?: string | undefined;
};

/** Never the query and the fragment of the page, which may contain personal data. */
export function collectFacts(given: { release: string | undefined; eventId: string | undefined }): Facts {
  const { origin, pathname, protocol } = location;
  return {
    page: protocol.startsWith("http") ? (origin + pathname).slice(0, 2048) : undefined,
    viewport: `${innerWidth}x${innerHeight}`,
    language: navigator.language,
    release: (given.release ?? pageRelease())?.slice(0, 255),
    error_event_id: given.eventId ?? lastErrorId(),
  };
}

export function describeFacts(facts: Facts, texts: Texts): HTMLElement {
  const rows: [string, string | undefined][] = [
    [texts.page, facts.page],
    [texts.browser, browserName()],
    [texts.viewport, facts.viewport.replace("x", " × ")],
    [texts.language, facts.language],
    [texts.release, facts.release],
    [texts.error, facts.error_event_id],
  ];
  return h(
    "dl",
    {},
    ...rows.flatMap(([name, value]) =>
      value === undefined ? [] : [h("div", {}, h("dt", {}, name), h("dd", {}, value))],
    ),
  );
}

/** Edge's user agent names Chrome before Edge; Safari's has its version after "Version". */
const NAMES: Record<string, string> = { Edg: "Edge", OPR: "Opera", Version: "Safari" };

/** The server reads it from the same header. */
function browserName(): string | undefined {
  const [, name = "", version] =
    [...navigator.userAgent.matchAll(/(Firefox|Edg|OPR|Chrome|Version)\/(\d+)/g)].at(-1) ?? [];
  return version === undefined ? undefined : `${NAMES[name] ?? name} ${version}`;
}
