import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import type { ErrorGroupListItem } from "../../shared/error-groups.ts";
import { keptEventQuery } from "../data/errors/kept-events.ts";
import { lacksSourceMaps } from "../data/errors/mapping-summary.ts";
import { releaseAddress } from "../page/release-address.ts";

type Props = { project: { id: number; key: string }; group: Pick<ErrorGroupListItem, "id"> };

/** Says how to see the original code if the latest event of an error comes from minified code of a web page. */
export function OfferSourceMaps({ project, group }: Props) {
  const { data: event } = useQuery(keptEventQuery(project.id, group.id, "latest"));
  if (event?.error_group_id !== group.id || !lacksSourceMaps(event.frames)) return null;
  return (
    <p className="mt-2 text-sm text-text-2">
      {event.release === null ? (
        "To see the original lines of minified code, send a release with your errors, or add debug ids when you build, and upload the source maps."
      ) : (
        <>
          To see the original lines of minified code,{" "}
          <Link
            {...releaseAddress(project.key, event.release)}
            hash="source-maps"
            className="text-accent-text underline"
          >
            upload the source maps of {event.release}
          </Link>
          .
        </>
      )}
    </p>
  );
}
