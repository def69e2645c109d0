import type { ReportDraft } from "./report-draft.ts";

type Shared = { title?: string | undefined; text?: string | undefined; url?: string | undefined };

const MAX_TITLE_LENGTH = 120;

/** The report that a shared link or text begins with. Apps put links into the text as well as into `url`. */
export function draftOfShared({ title = "", text = "", url = "" }: Shared): ReportDraft {
  const parts = [text.trim(), text.includes(url) ? "" : url.trim()].filter((part) => part !== "");
  const [firstLine = ""] = text.trim().split("\n");
  const named = title.trim() || (isLink(firstLine) ? "" : firstLine);
  return { title: shortened(named), description: parts.join("\n\n") };
}

const isLink = (text: string) => /^https?:\/\/\S+$/.test(text.trim());

const shortened = (title: string) =>
  title.length > MAX_TITLE_LENGTH ? `${title.slice(0, MAX_TITLE_LENGTH - 1).trimEnd()}…` : title;
