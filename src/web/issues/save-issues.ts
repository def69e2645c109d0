import { csvLine } from "../../shared/csv.ts";
import type { Issue } from "../../shared/issues.ts";
import { saveFile } from "../kit/save-file.ts";

/** Saves a CSV file with these issues, like that of the API. */
export function saveIssues(issues: readonly Issue[]): void {
  saveFile("issues.csv", issuesAsCsv(issues), "text/csv");
}

export function issuesAsCsv(issues: readonly Issue[]): string {
  const [first] = issues;
  if (first === undefined) return "";
  const fields = Object.keys(first) as (keyof Issue)[];
  return [fields, ...issues.map((issue) => fields.map((field) => issue[field]))].map(csvLine).join("");
}
