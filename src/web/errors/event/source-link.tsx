import { ExternalLink } from "lucide-react";
import { createContext, type ReactNode, use } from "react";
import type { KeptFrame } from "../../../shared/kept-events.ts";
import { sourceUrl } from "../../../shared/source-url.ts";
import { sourcePath } from "./source-path.ts";

type Source = {
  /** The project's repository URL pattern; null if it has none. */
  pattern: string | null;
  /** The release of the event. */
  release: string | null;
  /** The event's own frames, which say more about a file than a line of the trace. */
  frames: readonly KeptFrame[];
};

/** Where the source code of the frames below can be read. */
export const SourceContext = createContext<Source>({ pattern: null, release: null, frames: [] });

type Props = {
  file: string | undefined;
  /** The method with its class. */
  method: string | null | undefined;
  line: number | null | undefined;
  sent: KeptFrame | undefined;
  /** The text, shown with or without a link. Without children, a link says "Source". */
  children?: ReactNode;
  /** The end of the text, which the icon stays with when the text wraps. */
  end?: ReactNode;
};

/** A link to the line of a frame in the repository, if the project says where that is. It opens in a new tab. */
export function SourceLink({ file, method, line, sent, children, end }: Props) {
  const { pattern, release } = use(SourceContext);
  const text = (
    <>
      {children}
      {end}
    </>
  );
  if (pattern === null) return text;
  const path = sourcePath({ file, qualified: sent?.module ?? method, absolute: sent?.abs_path });
  const url = path === undefined ? undefined : sourceUrl(pattern, { path, line, release });
  if (url === undefined) return text;
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className={
        children === undefined
          ? "inline-flex min-h-6 shrink-0 items-center rounded-sm text-sm text-accent-text hover:underline"
          : "rounded-sm hover:underline"
      }
    >
      {children ?? "Source"}
      <span className="whitespace-nowrap">
        {end}
        <ExternalLink aria-hidden size={12} className="ms-1 inline-block shrink-0 align-[-1px] text-text-3" />
      </span>
      <span className="sr-only"> (source code, opens in a new tab)</span>
    </a>
  );
}
