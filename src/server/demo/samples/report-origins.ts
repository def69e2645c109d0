import type { ReportKind, ReportOrigin } from "../../../shared/feedback.ts";

/** What the author of a report from outside would call it. */
export function kindOf(title: string): ReportKind {
  if (/^(Please|I'd like)/.test(title)) return "idea";
  return title.startsWith("I can't find") ? "question" : "bug";
}

const DEVICES = [
  { browser: "Safari 26.1", viewport: "390x664", language: "nl-NL" },
  { browser: "Chrome 142.0.0.0", viewport: "1512x823", language: "en-US" },
  { browser: "Firefox 145.0", viewport: "1280x720", language: "de-DE" },
  { browser: "Samsung Internet 29.0", viewport: "412x785", language: "pl-PL" },
];

const PAGES = ["/cart", "/account", "/stores", "/bikes/gravel-60", "/orders", "/bikes"];

/** Where the report with this index was written. */
export const originAt = (index: number): ReportOrigin => ({
  page: `https://www.northwind.example${PAGES[index % PAGES.length]}`,
  ...(DEVICES[index % DEVICES.length] as (typeof DEVICES)[number]),
  release: null,
  environment: "production",
  tags: {},
});
