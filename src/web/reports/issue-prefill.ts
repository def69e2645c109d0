import type { Report } from "../../shared/reports.ts";

export const DESCRIPTION_LENGTH = 65_535;

type Prefill = { title: string; description: string };

/** What the issue made of reports says until somebody rewrites it: of one the same, of many each as a point of a list. */
export function prefillFrom(reports: readonly Report[]): Prefill {
  const [first] = reports;
  if (first === undefined) return { title: "", description: "" };
  if (reports.length === 1) return { title: first.title, description: first.description };
  return { title: first.title, description: cut(reports.map(pointOf).join("\n\n"), DESCRIPTION_LENGTH) };
}

/** The title, and the description set in so that it stays part of the point. */
function pointOf({ title, description }: Report): string {
  const lines = description
    .trim()
    .split(/\r?\n/)
    .map((line) => (line.trim() === "" ? "" : `  ${line}`));
  return `- **${title.replaceAll(/([*\\`_[\]<])/g, String.raw`\$1`)}**\n\n${lines.join("\n")}`;
}

/** By code points, as the limit counts. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return Array.from(text).slice(0, max).join("");
}
