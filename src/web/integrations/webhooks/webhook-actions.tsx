import { useNavigate } from "@tanstack/react-router";
import { EllipsisVertical, Send } from "lucide-react";
import { useState } from "react";
import type { Webhook } from "../../../shared/webhooks.ts";
import { deleteWebhook, rotateSecret, testWebhook, webhookKey } from "../../data/integrations/webhooks.ts";
import { useSend } from "../../forms/use-send.ts";
import { Button } from "../../kit/button.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { lazyPart } from "../../kit/lazy-part.tsx";
import { LazyPopup } from "../../kit/lazy-popup.tsx";
import { Menu } from "../../kit/menu.tsx";
import { type Owner } from "../owner.tsx";
import { isChat } from "../services.ts";
import { SecretOnce } from "./secret-once.tsx";

const TestAnswer = lazyPart(async () => (await import("./test-answer.tsx")).TestAnswer);

type Props = { owner: Owner; webhook: Webhook };

/** Sends a test, gives the webhook a new secret, or deletes it. */
export function WebhookActions({ owner, webhook }: Props) {
  const { id, format } = webhook;
  const [opened, setOpened] = useState<"rotate" | "delete">();
  const close = () => setOpened(undefined);
  const navigate = useNavigate();
  const deliveries = webhookKey("webhook_delivery", owner);
  const test = useSend({
    send: () => testWebhook(owner, id),
    stale: [deliveries],
    failed: "The test could not be sent",
  });
  const rotate = useSend({ send: () => rotateSecret(owner, id), stale: [webhookKey("webhook", owner)] });
  const remove = useSend({ send: () => deleteWebhook(owner, id), stale: [] });
  return (
    <>
      <Button icon={Send} busy={test.isPending} onClick={() => test.mutate()}>
        Send test
      </Button>
      <Menu
        label="Actions for the webhook"
        align="end"
        trigger={<IconButton icon={EllipsisVertical} label="Actions for the webhook" />}
        items={[
          !isChat(format) && { label: "Rotate secret", onSelect: () => setOpened("rotate") },
          { label: "Delete webhook", danger: true, onSelect: () => setOpened("delete") },
        ]}
      />
      {test.data && (
        <LazyPopup open onCancel={test.reset}>
          <TestAnswer owner={owner} webhookId={id} deliveryId={test.data.id} onClose={test.reset} />
        </LazyPopup>
      )}
      {rotate.data && <SecretOnce isRotated secret={rotate.data.secret} onClose={rotate.reset} />}
      <ConfirmDialog
        open={opened === "rotate"}
        onClose={close}
        title="Rotate the secret?"
        confirm="Rotate secret"
        tone="primary"
        onConfirm={() => rotate.mutateAsync()}
      >
        Requests carry the signatures of both secrets for 24 hours. If you rotate again in that time, the
        oldest secret stops working at once.
      </ConfirmDialog>
      <ConfirmDialog
        open={opened === "delete"}
        onClose={close}
        title="Delete the webhook?"
        confirm="Delete webhook"
        done="Webhook deleted"
        onConfirm={() => remove.mutateAsync()}
        onDone={() =>
          void navigate(
            owner.kind === "projects"
              ? {
                  to: "/projects/$projectKey/settings",
                  params: { projectKey: owner.project.key },
                  search: { section: "integrations" },
                }
              : {
                  to: "/workspaces/$workspaceId/settings",
                  params: { workspaceId: String(owner.id) },
                  search: { section: "integrations" },
                },
          )
        }
      >
        Pending deliveries are not sent. Its recorded deliveries are deleted.
      </ConfirmDialog>
    </>
  );
}
