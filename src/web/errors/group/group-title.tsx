import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import { Breakable } from "../../kit/breakable.tsx";
import { PageTitle } from "../../kit/page-title.tsx";
import { messageTitle } from "./message-title.ts";

type Props = { group: Pick<ErrorGroupListItem, "exception_class" | "latest_message"> };

/** The heading of an error: its class, and larger what happened. */
export function GroupTitle({ group }: Props) {
  const message = messageTitle(group.latest_message);
  if (message === "") return <PageTitle>{group.exception_class}</PageTitle>;
  return (
    <PageTitle>
      <span className="block text-base font-medium text-text-2">
        <Breakable text={group.exception_class} />
      </span>{" "}
      <span className="line-clamp-3">{message}</span>
    </PageTitle>
  );
}
