import type { BuiltPage } from "../../../shared/built-page.ts";

type FoundPage = {
  page: BuiltPage | undefined;
  /** The key or id of the project in the address. */
  project: string | undefined;
  /** The page's first request, if it has one and the parameters in its path are well-formed. */
  request: string[];
};

/** The page at an address without its leading slash. */
export function findPage(pages: readonly BuiltPage[], address: string): FoundPage {
  const [, path = "", search = ""] = /^([^?]*)(\?.*)?$/s.exec(address) ?? [];
  const segments = path.split("/");
  const project = segments[0] === "projects" ? /^[A-Za-z0-9]+$/.exec(segments[1] ?? "")?.[0] : undefined;
  const page = pages.find((page) => isAt(page, segments));
  return { page, project, request: page ? requestOf(page, segments, search) : [] };
}

const namesOf = ({ path }: BuiltPage) => path.slice(1).split("/");

function isAt(page: BuiltPage, segments: readonly string[]): boolean {
  const names = namesOf(page);
  return (
    names.length === segments.length &&
    names.every((name, n) => (name.startsWith("$") ? segments[n] !== "" : name === segments[n]))
  );
}

/** What the parameters of requests look like; all others are ids. */
const SHAPES: Record<string, RegExp> = { $projectKey: /^[A-Z0-9]+$/, $issueKey: /^[A-Z0-9]+-\d+$/ };
const ID = /^\d+$/;

function requestOf(page: BuiltPage, segments: readonly string[], search: string): string[] {
  const template = typeof page.request === "string" ? page.request : page.request?.[search];
  if (template === undefined) return [];
  const values = new Map(namesOf(page).map((name, n) => [name, segments[n] ?? ""]));
  const names = template.match(/\$\w+/g) ?? [];
  const isWellFormed = names.every((name) => (SHAPES[name] ?? ID).test(values.get(name) ?? ""));
  return isWellFormed ? [template.replace(/\$\w+/g, (name) => values.get(name) ?? "")] : [];
}
