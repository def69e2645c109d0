import type { OpenApi } from "../data/openapi.ts";
import { Words } from "./words.tsx";

/** What applies to all operations. Narrow screens show the list instead. */
export function Introduction({ document }: { document: OpenApi }) {
  const { title, version, description = "" } = document.info;
  return (
    <div className="flex max-w-180 flex-col gap-3 p-4 text-read">
      <h2 className="text-display font-semibold">{`${title} ${version}`}</h2>
      <Words text={description} />
    </div>
  );
}
