/** The most issues and error groups that a message can name. */
const MAX_REFERENCES = 100;

/** The issues and error groups that a text names, by number and id, and whether a keyword stands before them. */
export type References = { issues: Map<number, boolean>; groups: Map<number, boolean> };

/** `WEB-12` of any project, or `SIGNALBOX-E123`, as a whole word. */
const REFERENCE =
  /(?<![\p{L}\p{N}_-])(?:SIGNALBOX-E([1-9]\d{0,14})|([A-Z][A-Z0-9]{1,9})-([1-9]\d{0,14}))(?![\p{L}\p{N}_]|-[\p{L}\p{N}_])/giu;

/** At the end of the text before a reference. */
const KEYWORD = /(?<![\p{L}\p{N}_-])(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)(?::\s*|\s+)$/iu;

/** Between the references that a keyword applies to. */
const SEPARATOR = /^\s*(?:,(?:\s*and\s)?|\sand\s)\s*$/i;

const MAX_KEYWORD_LENGTH = 40;

/** The references to issues of the project with this key, and to error groups. References to other projects are ignored. */
export function findReferences(text: string, projectKey: string): References {
  const found: References = { issues: new Map(), groups: new Map() };
  let end = -1;
  let closes = false;
  for (const match of text.matchAll(REFERENCE)) {
    const [name, group, key, number] = match;
    const isListed: boolean = closes && SEPARATOR.test(text.slice(end, match.index));
    closes = isListed || KEYWORD.test(text.slice(Math.max(0, match.index - MAX_KEYWORD_LENGTH), match.index));
    end = match.index + name.length;
    if (group !== undefined) add(found.groups, Number(group), closes);
    else if (key?.toUpperCase() === projectKey) add(found.issues, Number(number), closes);
    if (found.issues.size + found.groups.size >= MAX_REFERENCES) break;
  }
  return found;
}

function add(references: Map<number, boolean>, id: number, closes: boolean): void {
  references.set(id, closes || (references.get(id) ?? false));
}
