import { useInfiniteQuery } from "@tanstack/react-query";
import { deliveriesQuery, type WebhookOwner } from "../../data/integrations/webhooks.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Spinner } from "../../kit/spinner.tsx";
import { AttemptDetails } from "./attempt-details.tsx";

type Props = { owner: WebhookOwner; webhookId: number; deliveryId: number; onClose: () => void };

/** What the receiver answered to a test. */
export function TestAnswer({ owner, webhookId, deliveryId, onClose }: Props) {
  const { data } = useInfiniteQuery(deliveriesQuery(owner, webhookId, { event: "webhook.test" }));
  const delivery = data?.pages.flatMap((page) => page.data).find(({ id }) => id === deliveryId);
  const attempt = delivery?.attempts.at(-1);
  return (
    <Dialog
      open
      title="Test"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div role="status" className="flex min-h-16 flex-col gap-2">
        {attempt === undefined ? (
          <p className="flex items-center gap-2 text-text-2">
            <Spinner />
            <span>Waiting for the answer. It can take up to 30 seconds.</span>
          </p>
        ) : (
          <AttemptDetails attempt={attempt} label="Response body" />
        )}
      </div>
    </Dialog>
  );
}
