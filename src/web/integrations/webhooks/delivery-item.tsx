import { RotateCw } from "lucide-react";
import type { Delivery } from "../../../shared/webhooks.ts";
import { redeliver, webhookKey, type WebhookOwner } from "../../data/integrations/webhooks.ts";
import { useSend } from "../../forms/use-send.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { countOf } from "../../kit/count-text.ts";
import { Disclosure } from "../../kit/disclosure.tsx";
import { CodeBlock } from "../../kit/markdown/code-block.tsx";
import { Time } from "../../kit/dates/time.tsx";
import { AttemptDetails } from "./attempt-details.tsx";
import { stateOf } from "./delivery-state.ts";
import { nameOfEvent } from "./event-names.ts";

type Props = { owner: WebhookOwner; webhookId: number; delivery: Delivery };

/** A delivery; opened, it shows the request, each attempt with its response, and a button that sends it again. */
export function DeliveryItem({ owner, webhookId, delivery }: Props) {
  const { event, event_id, attempts, created_at } = delivery;
  const state = stateOf(delivery);
  return (
    <li className="px-4 py-1">
      <Disclosure
        title={
          <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <Badge tone={state.tone}>{state.label}</Badge>
            <span className="min-w-0 wrap-anywhere">{nameOfEvent(event)}</span>
            <span className="sr-only">{event_id}</span>
          </span>
        }
        aside={
          <span className="text-text-3 flex shrink-0 items-center gap-3 text-sm">
            <span className="max-sm:hidden">{countOf(attempts.length, "attempt")}</span>
            <Time at={created_at} as="row" />
          </span>
        }
      >
        <DeliveryDetails owner={owner} webhookId={webhookId} delivery={delivery} />
      </Disclosure>
    </li>
  );
}

function DeliveryDetails({ owner, webhookId, delivery }: Props) {
  const { id, event_id, attempts, request, next_attempt_at } = delivery;
  const send = useSend({
    send: () => redeliver(owner, webhookId, id),
    stale: [webhookKey("webhook_delivery", owner)],
    failed: "The delivery could not be sent again",
  });
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className="flex min-w-0 flex-col gap-4 pt-1 pb-4">
      <div className="flex flex-wrap items-center gap-3">
        <Button size="sm" icon={RotateCw} busy={send.isPending} onClick={() => send.mutate()}>
          Send again<span className="sr-only"> {event_id}</span>
        </Button>
        {next_attempt_at !== null && (
          <span className="text-text-2">
            Next attempt <Time at={next_attempt_at} />
          </span>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        {attempts.length === 0 && <p className="text-text-2">Not sent yet.</p>}
        {attempts
          .map((attempt, index) => (
            <AttemptDetails
              key={attempt.started_at}
              attempt={attempt}
              label={`Response ${index + 1} to ${event_id}`}
            />
          ))
          .toReversed()}
      </div>
      {headers.length > 0 && (
        <CodeBlock label={`Request headers of ${event_id}`} code={headers.join("\n")} wrap />
      )}
      <CodeBlock label={`Request body of ${event_id}`} code={indented(request.body)} wrap />
    </div>
  );
}

/** JSON with one field per line. Other formats have other bodies. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
