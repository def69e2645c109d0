import { TriangleAlert } from "lucide-react";
import type { Webhook } from "../../../shared/webhooks.ts";
import { changeWebhook, webhookKey } from "../../data/integrations/webhooks.ts";
import { useSend } from "../../forms/use-send.ts";
import { Button } from "../../kit/button.tsx";
import { Time } from "../../kit/dates/time.tsx";
import type { Owner } from "../owner.tsx";
import { needsAttention } from "./webhook-state.ts";

const REASONS = {
  gone: "The receiver answered 410 Gone, so the webhook was turned off.",
  failing: "No delivery has succeeded for 7 days, so the webhook was turned off.",
} as const;

type Props = { owner: Owner; webhook: Webhook };

/** Says why a webhook needs attention, and turns it on again. */
export function TurnedOff({ owner, webhook }: Props) {
  const { id, disabled_reason: reason, failing_since } = webhook;
  const turnOn = useSend({
    send: () => changeWebhook(owner, id, { active: true }),
    stale: [webhookKey("webhook", owner)],
    failed: "The webhook could not be turned on",
  });
  if (!needsAttention(webhook)) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-danger bg-danger-tint px-4 py-3 text-danger"
    >
      <TriangleAlert aria-hidden size={16} className="shrink-0" />
      <p className="min-w-0 flex-[1_1_16rem]">
        {reason === null ? (
          <>
            Deliveries have failed since <Time at={failing_since} />. They are retried for about three days;
            after 7 days without a success, the webhook is turned off.
          </>
        ) : (
          `${REASONS[reason]} Events of the meantime are not sent later, but failed deliveries can be recovered below.`
        )}
      </p>
      {reason !== null && (
        <Button busy={turnOn.isPending} onClick={() => turnOn.mutate()}>
          Turn on again
        </Button>
      )}
    </div>
  );
}
