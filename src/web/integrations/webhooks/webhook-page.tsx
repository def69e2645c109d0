import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Webhook } from "../../../shared/webhooks.ts";
import { webhookQuery } from "../../data/integrations/webhooks.ts";
import { Badge } from "../../kit/badge.tsx";
import { PageHeader } from "../../kit/page-header.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { QueryError } from "../../page/query-error.tsx";
import { crumbsOf, ForOwner, type Owner } from "../owner.tsx";
import { isChat, WEBHOOK_SERVICES } from "../services.ts";
import { Deliveries } from "./deliveries.tsx";
import { MessagePreview } from "./message-preview.tsx";
import { TurnedOff } from "./turned-off.tsx";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookSettings } from "./webhook-settings.tsx";
import { stateOf } from "./webhook-state.ts";

/** A webhook: whether it works, where it sends what, and what it has sent. */
export function WebhookPage() {
  const { webhookId = "" } = useParams({ strict: false });
  return <ForOwner>{(owner) => <WebhookOf key={webhookId} owner={owner} id={Number(webhookId)} />}</ForOwner>;
}

function WebhookOf({ owner, id }: { owner: Owner; id: number }) {
  const { data: webhook, error, refetch } = useQuery(webhookQuery(owner, id));
  const isGone = error !== null && "status" in error && error.status === 404;
  if (webhook && !isGone) return <LoadedWebhook owner={owner} webhook={webhook} />;
  return (
    <>
      <PageHeader title="Webhook" crumbs={crumbsOf(owner)} />
      {error ? (
        <QueryError error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton rows={8} label="Loading the webhook" />
      )}
    </>
  );
}

function LoadedWebhook({ owner, webhook }: { owner: Owner; webhook: Webhook }) {
  const state = stateOf(webhook);
  return (
    <>
      <PageHeader
        title={WEBHOOK_SERVICES[webhook.format].label}
        crumbs={crumbsOf(owner)}
        aside={<Badge tone={state.tone}>{state.label}</Badge>}
        actions={<WebhookActions owner={owner} webhook={webhook} />}
      />
      <div className="flex w-full max-w-[960px] flex-col gap-8 px-4 py-6">
        <TurnedOff owner={owner} webhook={webhook} />
        <WebhookSettings owner={owner} webhook={webhook} />
        {isChat(webhook.format) && <MessagePreview owner={owner} webhook={webhook} />}
        <Deliveries owner={owner} webhook={webhook} />
      </div>
    </>
  );
}
