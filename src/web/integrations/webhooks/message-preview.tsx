import { useQuery } from "@tanstack/react-query";
import type { ChatPreview, Webhook } from "../../../shared/webhooks.ts";
import { previewsQuery } from "../../data/integrations/webhooks.ts";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel } from "../../forms/panel.tsx";
import type { Owner } from "../owner.tsx";
import { nameOfEvent } from "./event-names.ts";

/** What people in the chat read, for a few events. */
export function MessagePreview({ owner, webhook }: { owner: Owner; webhook: Webhook }) {
  const previews = useQuery(previewsQuery(owner, webhook.id));
  return (
    <Panel title="Messages" lead="Examples of what appears in the chat." padded>
      <Loaded query={previews} rows={3}>
        {(list) => (
          <ul className="flex flex-col gap-3">
            {list.map((preview) => (
              <Message key={preview.event} preview={preview} />
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

function Message({ preview: { event, title, lines } }: { preview: ChatPreview }) {
  return (
    <li className="flex min-w-0 flex-col gap-1">
      <p className="text-sm text-text-3">{nameOfEvent(event)}</p>
      <blockquote className="border-s-2 border-line-strong ps-3 wrap-anywhere">
        <p className="font-medium text-accent-text">{title}</p>
        {lines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no identity but their place
          <p key={index}>{line}</p>
        ))}
      </blockquote>
    </li>
  );
}
