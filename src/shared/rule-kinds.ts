/** The maximum length of the pattern of a privacy or inbound rule, in characters. */
export const MAX_PATTERN = 200;

/** Milliseconds of computing time. An inbound rule that takes longer on an event is paused. */
export const MAX_RULE_MS = 20;

/** Kinds of inbound rules with a pattern, which is searched in this field of the event. */
export const PATTERN_KINDS = ["exception_class", "message", "release", "environment"] as const;

export const INBOUND_KINDS = [
  ...PATTERN_KINDS,
  "browser_extensions",
  "old_browsers",
  "localhost",
  "web_crawlers",
] as const;

export type InboundKind = (typeof INBOUND_KINDS)[number];

export const hasPattern = (kind: InboundKind) => PATTERN_KINDS.some((one) => one === kind);
