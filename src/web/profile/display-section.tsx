import { useMemo, useState } from "react";
import { applyDensity, DENSITIES, useDensity } from "../kit/density.ts";
import { applyTheme, type Theme } from "../kit/theme.ts";
import { Panel } from "../forms/panel.tsx";
import { useProfile } from "../data/account/session.ts";
import { Combobox } from "../kit/combobox.tsx";
import { Field } from "../kit/field.tsx";
import { RadioGroup } from "../kit/radio-group.tsx";
import { Switch } from "../kit/switch.tsx";
import { Time } from "../kit/dates/time.tsx";
import { useChangeProfile } from "../data/account/account.ts";
import { timeZoneChoices } from "./time-zones.ts";

const THEMES: readonly { value: Theme; label: string; hint: string }[] = [
  { value: "system", label: "System", hint: "Follows your device." },
  { value: "light", label: "Light", hint: "Always light." },
  { value: "dark", label: "Dark", hint: "Always dark." },
];

/** Appearance and behavior; each change is saved at once. */
export function DisplaySection() {
  const profile = useProfile();
  const change = useChangeProfile("/api/profile");
  const density = useDensity();
  const [now] = useState(() => new Date());
  const zones = useMemo(() => timeZoneChoices(profile.time_zone, now), [profile.time_zone, now]);
  return (
    <>
      <Panel title="Theme" padded>
        <RadioGroup
          label="Theme"
          hideLabel
          options={THEMES}
          value={profile.theme}
          onChange={(theme) => {
            applyTheme(theme);
            change.mutate({ theme });
          }}
        />
      </Panel>
      <Panel title="Rows" lead="For lists and boards, on this device." padded>
        <RadioGroup label="Rows" hideLabel options={DENSITIES} value={density} onChange={applyDensity} />
      </Panel>
      <Panel title="Time" padded>
        <Field label="Time zone" hint={<Here at={now.toISOString()} />}>
          <Combobox
            choices={zones}
            value={profile.time_zone}
            onChange={(time_zone) => time_zone !== null && change.mutate({ time_zone })}
          />
        </Field>
      </Panel>
      <Panel title="Keyboard" padded>
        <Switch
          label="Single-key shortcuts"
          hint="For example, C creates an issue. Shortcuts with ⌘, Ctrl or Alt always work. Press ? for a list."
          checked={profile.single_keys}
          onChange={(single_keys) => change.mutate({ single_keys })}
        />
      </Panel>
    </>
  );
}

function Here({ at }: { at: string }) {
  return (
    <>
      The time there is <Time at={at} as="full" />.
    </>
  );
}
