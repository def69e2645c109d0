import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { DELIVERY_STATES } from "./delivery-state.ts";
import type { Webhook } from "../../../shared/webhooks.ts";
import { deliveriesQuery } from "../../data/integrations/webhooks.ts";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel, PanelEmpty } from "../../forms/panel.tsx";
import { Button } from "../../kit/button.tsx";
import { FilterSelect } from "../../kit/filter-select.tsx";
import { given } from "../../page/search-params.ts";
import type { Owner } from "../owner.tsx";
import { DeliveryItem } from "./delivery-item.tsx";
import { EVENT_CHOICES } from "./event-names.ts";
import { RecoverDialog } from "./recover-dialog.tsx";

type Props = { owner: Owner; webhook: Webhook };

/** What the webhook has sent in the last 14 days, newest first. */
export function Deliveries({ owner, webhook }: Props) {
  const search = useSearch({ strict: false }) as Filter;
  const filter = given({ status: search.status, event: search.event });
  const deliveries = useInfiniteQuery({
    ...deliveriesQuery(owner, webhook.id, filter),
    placeholderData: keepPreviousData,
  });
  const [isRecovering, setRecovering] = useState(false);
  const navigate = useNavigate();
  const show = (changes: Filter) =>
    void navigate({ to: ".", search: given({ ...filter, ...changes }), replace: true });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Panel
      title="Deliveries"
      lead="Kept for 14 days. A failed delivery is retried nine times within about three days."
      actions={<Button onClick={() => setRecovering(true)}>Recover failed deliveries</Button>}
    >
      <Filters filter={filter} show={show} />
      <Loaded query={deliveries}>
        {({ pages }) => {
          const list = pages.flatMap(({ data }) => data);
          if (list.length > 0)
            return (
              <ul
                aria-label="Deliveries"
                aria-busy={deliveries.isPlaceholderData}
                className="divide-line divide-y"
              >
                {list.map((delivery) => (
                  <DeliveryItem key={delivery.id} owner={owner} webhookId={webhook.id} delivery={delivery} />
                ))}
              </ul>
            );
          return isFiltered ? (
            <PanelEmpty
              action={<Button onClick={() => show({ status: "", event: "" })}>Clear filters</Button>}
            >
              No deliveries match these filters.
            </PanelEmpty>
          ) : (
            <PanelEmpty>Nothing was sent yet. Send a test to see whether the receiver answers.</PanelEmpty>
          );
        }}
      </Loaded>
      {deliveries.hasNextPage && (
        <div className="border-line border-t p-2 text-center">
          <Button busy={deliveries.isFetchingNextPage} onClick={() => void deliveries.fetchNextPage()}>
            Show older deliveries
          </Button>
        </div>
      )}
      {isRecovering && (
        <RecoverDialog owner={owner} webhookId={webhook.id} onClose={() => setRecovering(false)} />
      )}
    </Panel>
  );
}

type Filter = { status?: string; event?: string };

function Filters({ filter, show }: { filter: Filter; show: (changes: Filter) => void }) {
  return (
    <search className="border-line flex flex-wrap gap-2 border-b p-2">
      <FilterSelect
        label="Status"
        none="All statuses"
        choices={DELIVERY_STATES}
        value={filter.status ?? ""}
        onChange={(status) => show({ status })}
      />
      <FilterSelect
        label="Event"
        none="All events"
        choices={EVENT_CHOICES}
        value={filter.event ?? ""}
        onChange={(event) => show({ event })}
      />
    </search>
  );
}
