import { useQuery } from "@tanstack/react-query";
import { type WebhookOwner, webhooksQuery } from "../../data/integrations/webhooks.ts";
import { needsAttention } from "./webhook-state.ts";

/** How many webhooks a manager should look at; 0 for people who may not see them. */
export function useFailingCount({ kind, id }: WebhookOwner, isManager: boolean): number {
  const { data } = useQuery({ ...webhooksQuery({ kind, id }), enabled: isManager });
  return data?.filter(needsAttention).length ?? 0;
}

/** The tab of the settings. */
export const integrationsLabel = (failing: number): string =>
  failing === 0 ? "Integrations" : `Integrations: ${failing} failing`;
