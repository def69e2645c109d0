import { Globe, Plug } from "lucide-react";
import { Avatar } from "../kit/avatar.tsx";
import { IconSlot } from "../kit/icon.tsx";
import type { Author } from "./use-authors.ts";

/** The author of a report: a member, a visitor, or an outside system that used the API. */
export function ReportAuthor({ author: { name, person, outside } }: { author: Author }) {
  return (
    <span
      className="flex min-w-0 items-center gap-1.5"
      title={outside === "API" ? `${name}, via the API` : name}
    >
      {outside === undefined ? (
        person && <Avatar person={person} size={16} />
      ) : (
        <IconSlot icon={outside === "API" ? Plug : Globe} size={12} />
      )}
      <span className="flex min-w-0 whitespace-pre">
        <span dir="auto" className="truncate">
          {name}
        </span>
        {outside && <span className="shrink-0">{` · ${outside}`}</span>}
      </span>
    </span>
  );
}
