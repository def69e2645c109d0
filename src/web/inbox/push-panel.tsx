import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Panel } from "../forms/panel.tsx";
import { showFailure } from "../forms/show-failure.ts";
import { Switch } from "../kit/switch.tsx";
import { isPushOn, isPushPossible, turnPushOff, turnPushOn } from "../data/inbox/push-subscription.ts";

const KEY = ["push_subscription", null];

/** Turns notifications by this browser on and off. */
export function PushPanel() {
  const client = useQueryClient();
  const isPossible = isPushPossible();
  const { data: isOn = false, isPending } = useQuery({
    queryKey: KEY,
    queryFn: isPushOn,
    enabled: isPossible,
  });
  const change = useMutation({
    mutationFn: (on: boolean) => (on ? turnPushOn() : turnPushOff()),
    onSuccess: (_nothing, on) => client.setQueryData(KEY, on),
    onError: (error, on) =>
      showFailure(`Notifications could not be turned ${on ? "on" : "off"} in this browser`, error),
  });
  return (
    <Panel title="Push" lead="Shows new inbox entries as system notifications." padded>
      <Switch
        label="Notifications in this browser"
        hint={
          isPossible
            ? "Also while Signalbox is closed. A message contains the entry’s title and its link. Signing out turns this off."
            : "This browser can’t receive push messages on this page. It needs HTTPS; on an iPhone or iPad, install the app first."
        }
        checked={change.isPending ? change.variables : isOn}
        disabled={!isPossible || isPending}
        onChange={(on) => !change.isPending && change.mutate(on)}
      />
    </Panel>
  );
}
