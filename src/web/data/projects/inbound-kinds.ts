import type { InboundKind } from "../../../shared/rule-kinds.ts";

type Kind = { value: InboundKind; label: string; hint: string };

/** The kinds of inbound rules in words. Those without a pattern first. */
export const KINDS: readonly Kind[] = [
  {
    value: "browser_extensions",
    label: "Browser extensions",
    hint: "Errors in files of browser extensions.",
  },
  {
    value: "old_browsers",
    label: "Old browsers",
    hint: "Internet Explorer, Opera Mini, and versions from before 2022: Chrome, Edge and Firefox before 100, Opera before 86, Safari before 15, Samsung Internet before 17.",
  },
  {
    value: "localhost",
    label: "Localhost",
    hint: "Events from pages and scripts on a developer’s own machine.",
  },
  {
    value: "web_crawlers",
    label: "Web crawlers",
    hint: "Events from search engines and other bots that identify themselves.",
  },
  { value: "exception_class", label: "Exception class", hint: "Example: ^(ChunkLoad|Abort)Error$" },
  { value: "message", label: "Message", hint: "Example: (?i)resizeobserver loop" },
  { value: "release", label: "Release", hint: "Example: -(dev|rc)\\b" },
  { value: "environment", label: "Environment", hint: "Example: ^(test|staging)$" },
];

export const kindOf = (kind: InboundKind): Kind =>
  KINDS.find(({ value }) => value === kind) ?? { value: kind, label: kind, hint: "" };

/** A kind of a later version is shown as it is. */
export const labelOfKind = (kind: string): string => KINDS.find(({ value }) => value === kind)?.label ?? kind;
