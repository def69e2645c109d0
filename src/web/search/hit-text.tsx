import type { SearchKind } from "../../shared/search.ts";
import { partsOf } from "./marks.ts";

/** A text of a search result, with what the query matches marked. */
export function HitText({ text, query, kind }: { text: string; query: string; kind: SearchKind }) {
  return partsOf(text, query, kind).map(({ text: part, isMatch }, index) =>
    isMatch ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no order but their own
      <mark key={index} className="rounded-sm bg-accent-tint font-semibold text-accent-text">
        {part}
      </mark>
    ) : (
      part
    ),
  );
}
