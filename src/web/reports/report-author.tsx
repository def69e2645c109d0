import { Plug } from "lucide-react";
import { Avatar } from "../kit/avatar.tsx";
import type { Author } from "./use-authors.ts";

/** The author of a report: a member, or an outside system that used the API. */
export function ReportAuthor({ author: { name, person, outside } }: { author: Author }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={outside ? `${name}, via the API` : name}>
      {outside ? (
        <Plug size={12} aria-hidden className="shrink-0" />
      ) : (
        person && <Avatar person={person} size={16} />
      )}
      <span className="flex min-w-0 whitespace-pre">
        <span dir="auto" className="truncate">
          {name}
        </span>
        {outside && <span className="shrink-0"> · API</span>}
      </span>
    </span>
  );
}
