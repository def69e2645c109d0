import type { EventDraft } from "./error-events.ts";
import type { Random } from "./samples/seeded-random.ts";
import type { Story } from "./samples/story.ts";

/** What only kept events show. A story's are written by hand. */
export function storyAdditions(story: Story, at: number, random: Random): Record<string, unknown> {
  const { frames, messages, tags, contexts, requests, extra, breadcrumbs } = story;
  return {
    message: random.pick(messages),
    frames,
    tags: Object.fromEntries(Object.entries(tags).map(([key, values]) => [key, random.pick(values)])),
    contexts: random.pick(contexts),
    request: requests.length > 0 ? random.pick(requests) : undefined,
    extra,
    breadcrumbs: breadcrumbs.map(({ before, ...breadcrumb }) => ({
      timestamp: new Date(at - before * 1000).toISOString(),
      ...breadcrumb,
    })),
  };
}

const BROWSERS = [
  ["Chrome", "142.0", "Windows"],
  ["Chrome", "142.0", "Android"],
  ["Safari", "26.1", "iOS"],
  ["Firefox", "145.0", "Linux"],
] as const;

/** Tags, contexts and breadcrumbs as an SDK collects them without further setup. */
export function exampleAdditions(
  { runtime, body }: EventDraft,
  at: number,
  random: Random,
): Record<string, unknown> {
  return runtime === "chrome" ? ofBrowser(at, random) : ofServer(runtime, body, at, random);
}

function ofBrowser(at: number, random: Random) {
  const [browser, version, os] = random.pick(BROWSERS);
  return {
    tags: { browser: `${browser} ${version}`, os, handled: random.pick(["no", "no", "yes"]) },
    contexts: { browser: { name: browser, version }, os: { name: os } },
    breadcrumbs: [
      crumb(at - 14_000, "navigation", "/bikes → /cart"),
      crumb(at - 9_200, "fetch", "GET /api/v3/cart", { status_code: 200 }),
      crumb(at - 300, "ui.click", "button.primary"),
    ],
  };
}

function ofServer(runtime: string, body: EventDraft["body"], at: number, random: Random) {
  const { context } = body as { context?: { kind?: string; method?: string; pattern?: string } | null };
  const { kind, method, pattern } = context ?? {};
  const number = random.integer(1000, 9999);
  return {
    tags: {
      handled: random.pick(["no", "no", "yes"]),
      region: random.pick(["eu-west", "eu-west", "eu-north"]),
    },
    contexts: { os: { name: "Linux", version: "6.12.48" }, runtime: { name: runtime } },
    request:
      kind === "route"
        ? { method, path: pattern?.replace("{id}", String(number)), headers: { "User-Agent": "Northwind/4" } }
        : undefined,
    breadcrumbs: [
      crumb(at - 900, "query", "select * from customers where id = $1", { rows: 1 }),
      crumb(at - 240, "log", `Loaded customer ${number}`),
    ],
  };
}

const crumb = (at: number, category: string, message: string, data?: object) => ({
  timestamp: new Date(at).toISOString(),
  category,
  message,
  ...(data ? { data } : {}),
});
