import type { ErrorGroup } from "../../../shared/error-groups.ts";
import { fenced, inlineText } from "../../../shared/markdown/fenced.ts";
import { contextFacts, memoryText, nameAndVersion } from "./facts.ts";
import { isRegressed, RESOLVED, IGNORED } from "../../data/errors/group-status.ts";

/** An error group as Markdown, to paste into an issue, a chat or an email. `link` is the URL of its page. */
export function groupMarkdown(group: ErrorGroup, link: string): string {
  const facts = [
    ["Status", statusText(group)],
    ["Environment", group.environment],
    ["Events", String(group.occurrence_count)],
    ["Affected users", group.affected_users === null ? "unknown" : String(group.affected_users)],
    ["First seen", group.first_seen_at],
    ["Last seen", group.last_seen_at],
    ["Latest release", group.last_release],
    ["Code", group.exception_code],
    ["Runtime", nameAndVersion(group.runtime)],
    ["Framework", nameAndVersion(group.framework)],
    ["Memory", memoryText(group.memory_peak_bytes, group.memory_limit_bytes)],
    ...contextFacts(group.context),
  ].flatMap(([name, value]) => (value === null ? [] : [`- ${name}: ${inlineText(value ?? "")}`]));
  const causes = group.previous_exceptions.flatMap((cause) => [
    `## Caused by ${inlineText(cause.exception_class)}`,
    ...outside(cause.message),
    ...outside(cause.stack_trace),
  ]);
  return [
    `# ${inlineText(group.exception_class)}`,
    ...outside(group.latest_message),
    facts.join("\n"),
    ...(group.latest_stack_trace === "" ? [] : ["## Stack trace", ...outside(group.latest_stack_trace)]),
    ...causes,
    `<${link}>`,
    "",
  ].join("\n\n");
}

function statusText(group: ErrorGroup): string {
  if (group.status === RESOLVED) return "Resolved";
  if (group.status === IGNORED) return "Ignored";
  return isRegressed(group) ? `Regressed, reopened ${group.reopen_count} times` : "Open";
}

const outside = (text: string): string[] => (text.trim() === "" ? [] : [fenced(text)]);
