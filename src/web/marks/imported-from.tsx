import type { ImportedFrom as Origin } from "../../shared/imported-from.ts";
import { IMPORT_KIND_NAMES } from "./import-kinds.ts";

/** Where an issue, report or error was imported from, with a link to the original. Nothing if it was created here. */
export function ImportedFrom({ origin }: { origin: Origin | null }) {
  if (origin === null) return null;
  const { kind, url, author_name, assignee_name } = origin;
  return (
    <span className="text-text-3 text-sm [overflow-wrap:anywhere]">
      Imported from {kind === "csv" ? "a CSV file" : IMPORT_KIND_NAMES[kind]}
      {author_name !== null && (
        <>
          {" "}
          by <bdi>{author_name}</bdi>
        </>
      )}
      {assignee_name !== null && (
        <>
          , assigned to <bdi>{assignee_name}</bdi>
        </>
      )}
      {url !== null && (
        <>
          {" · "}
          <a href={url} target="_blank" rel="noreferrer" className="text-accent-text underline">
            Original
          </a>
        </>
      )}
    </span>
  );
}
