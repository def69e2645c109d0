import { Link } from "@tanstack/react-router";
import type { Project } from "../../shared/projects.ts";
import type { SearchHit } from "../../shared/search.ts";
import { addressOf } from "../data/search.ts";
import { ItemKey } from "../lists/item-key.tsx";
import { Time } from "../kit/dates/time.tsx";
import { RowText } from "../lists/row-text.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import { useRowKeys } from "../lists/use-row-keys.ts";
import { HitMark } from "./hit-mark.tsx";
import { stateOf } from "./hit-state.ts";
import { HitText } from "./hit-text.tsx";

/** The page shows at most this many results. */
export const MAX_RESULTS = 50;

/** An error's message says more than its class. */
const withMessageFirst = (hit: SearchHit): SearchHit =>
  hit.kind === "error_group" && hit.excerpt !== "" ? { ...hit, title: hit.excerpt, excerpt: hit.title } : hit;

type ResultsProps = {
  hits: SearchHit[];
  query: string;
  projectOf: (projectId: number) => Project | undefined;
};

/** The results as a list with keys. */
export function SearchResults({ hits, query, projectOf }: ResultsProps) {
  const keys = useRowKeys(hits.length);
  return (
    <div id={keys.boxId}>
      <p role="status" className="sr-only">
        {hits.length} results
      </p>
      <ul aria-label="Results">
        {hits.map(withMessageFirst).map((hit, index) => (
          <li key={`${hit.kind}-${hit.id}`}>
            <Row
              lines={2}
              current={keys.cursor === index}
              end={
                <span className="flex flex-col items-end text-sm text-text-3">
                  <Time at={hit.at} as="row" />
                  <span>{stateOf(hit)}</span>
                </span>
              }
            >
              <HitMark kind={hit.kind} />
              <ItemKey>{hit.key ?? projectOf(hit.project_id)?.key ?? ""}</ItemKey>
              <div className="min-w-0">
                <p className="flex min-w-0">
                  <Link
                    {...keys.row(index)}
                    to={addressOf(hit, projectOf(hit.project_id)?.key ?? "")}
                    className={rowLink}
                    title={hit.title}
                    draggable={false}
                  >
                    <RowText>
                      <HitText text={hit.title} query={query} kind={hit.kind} />
                    </RowText>
                  </Link>
                </p>
                <p className="truncate text-sm text-text-2">
                  <span className="text-text-3">{projectOf(hit.project_id)?.name}</span>
                  {hit.excerpt !== "" && (
                    <RowText>
                      {" · "}
                      <HitText text={hit.excerpt} query={query} kind={hit.kind} />
                    </RowText>
                  )}
                </p>
              </div>
            </Row>
          </li>
        ))}
      </ul>
      {hits.length === MAX_RESULTS && (
        <p className="px-4 py-3 text-text-2">
          Only the best {MAX_RESULTS} results are shown. Add words to narrow the search.
        </p>
      )}
    </div>
  );
}
