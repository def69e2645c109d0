import type { NotificationType } from "../../../shared/notifications.ts";
import { cutCodePoints } from "../../../shared/text.ts";
import type { NewMail } from "../../mail/queue-mail.ts";
import { countByType, urgencyOf } from "./count-by-type.ts";
import { pathOfEntry, type NotifiedProject } from "./notified-groups.ts";

/** An entry, and the current state of its error group; null if it is about no group, or about `count` new ones. */
export type DigestEntry = {
  id: number;
  type: NotificationType;
  message: string;
  count: number;
  report_id: number | null;
} & ({ group_id: number; exception_class: string; text: string; environment: string } | { group_id: null });

/** The most entries that an email lists. Further ones are only counted. */
const MAX_LISTED = 20;

/** The email about one entry or several, most urgent first and newest first within each type. */
export function digestMail(
  project: NotifiedProject,
  entries: DigestEntry[],
): Pick<NewMail, "subject" | "lines" | "linePaths" | "button"> {
  const sorted = entries.toSorted((a, b) => urgencyOf(a.type) - urgencyOf(b.type) || b.id - a.id);
  const [first, ...more] = sorted;
  if (first && more.length === 0)
    return {
      subject: `[${project.key}] ${first.message}`,
      lines: [`${first.message}.`, ...(first.group_id === null ? [] : [describe(first)])],
      button: {
        label: labelOf(first),
        path: pathOfEntry(project, first),
      },
    };
  const summary = countByType(sorted);
  const listed = sorted.slice(0, MAX_LISTED);
  const rest = sorted.length - listed.length;
  return {
    subject: `[${project.key}] ${summary}`,
    lines: [
      `${cut(project.name, 80)}: ${summary}.`,
      ...listed.map((entry) =>
        [entry.message, ...(entry.group_id === null ? [] : [textOf(entry)])].join("\n"),
      ),
      ...(rest > 0 ? [`And ${rest} more.`] : []),
    ],
    linePaths: [null, ...listed.map((entry) => pathOfEntry(project, entry)), ...(rest > 0 ? [null] : [])],
    button: { label: "Open the inbox", path: `/notifications?project=${project.id}` },
  };
}

function labelOf({ group_id, report_id }: DigestEntry): string {
  if (report_id !== null) return "Open the report";
  return group_id === null ? "Open the errors" : "Open the error";
}

const describe = (group: { exception_class: string; text: string; environment: string }) =>
  `${cut(group.exception_class, 255)}: ${cut(group.text, 500)} (${group.environment})`;

/** The entry's message already names the class. */
const textOf = ({ text, environment }: { text: string; environment: string }) =>
  `${cut(text, 150)} (${environment})`.trim();

/** One line of at most `max` code points, not counting the ellipsis. */
function cut(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const short = cutCodePoints(line, max);
  return short === line ? line : `${short}…`;
}
