import type { IncomingMessage } from "node:http";

/** The pages that have a Markdown form. */
const PAGE = /^\/projects\/[^/?]+\/(?:issues|errors|reports|epics|sprints)\/[^/?]+(?=$|\?)/;

/**
 * The address of a request, with `.md` for a page whose Markdown form the client prefers to HTML. Runs before routing, so that
 * there is one route for both.
 */
export function withMarkdownEnding({ method, url = "", headers }: IncomingMessage): string {
  if (headers.accept === undefined || !headers.accept.includes("text/markdown")) return url;
  if (method !== "GET" && method !== "HEAD") return url;
  const [page] = PAGE.exec(url) ?? [];
  if (page === undefined || page.endsWith(".md") || !prefersMarkdown(headers.accept)) return url;
  return `${page}.md${url.slice(page.length)}`;
}

/** Whether the header names Markdown with a higher weight than HTML, or with the same and before it. */
export function prefersMarkdown(accept: string): boolean {
  const types = accept.split(",").map(readType);
  const markdown = types.findIndex(({ type }) => type === "text/markdown");
  const { weight = 0 } = types[markdown] ?? {};
  const html = types.findIndex(({ type }) => type === "text/html");
  const range = types.find(({ type }) => type === "text/*") ?? types.find(({ type }) => type === "*/*");
  const htmlWeight = (types[html] ?? range)?.weight ?? 0;
  if (weight !== htmlWeight) return weight > htmlWeight;
  return weight > 0 && (html === -1 || markdown < html);
}

function readType(entry: string): { type: string; weight: number } {
  const [type = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith("q="));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return { type, weight: Number.isFinite(weight) ? weight : 0 };
}
