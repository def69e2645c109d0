import type { Report } from "../../shared/reports.ts";

export const MAX_DESCRIPTION_LENGTH = 65_535;

type Prefill = { title: string; description: string };

/** The initial title and description of a promoted issue: those of the report, or a list of all reports. */
export function prefillFrom(reports: readonly Report[]): Prefill {
  const [first] = reports;
  if (first === undefined) return { title: "", description: "" };
  if (reports.length === 1) return { title: first.title, description: first.description };
  return {
    title: first.title,
    description: cut(reports.map(listItemOf).join("\n\n"), MAX_DESCRIPTION_LENGTH),
  };
}

/** The title, and the description indented so that it belongs to the list item. */
function listItemOf({ title, description }: Report): string {
  const lines = description
    .trim()
    .split(/\r?\n/)
    .map((line) => (line.trim() === "" ? "" : `  ${line}`));
  return `- **${title.replaceAll(/([*\\`_[\]<])/g, String.raw`\$1`)}**\n\n${lines.join("\n")}`;
}

/** The limit counts code points. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return Array.from(text).slice(0, max).join("");
}
