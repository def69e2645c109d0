import { BellOff, CalendarClock, Clock, Hash, PackageCheck, RotateCcw, Tag, Users } from "lucide-react";
import { CATALOG } from "../../keys/catalog.ts";
import type { MenuEntry } from "../../kit/menu-entry.ts";
import { snoozeTimes } from "../../kit/dates/snooze-times.ts";
import type { Snooze } from "../../data/errors/snooze-text.ts";
import { IGNORED, OPEN, RESOLVED, type StatusChange } from "../../data/errors/group-status.ts";

/** A dialog that asks for the release of a resolution, or for the end of a snooze, with the field to begin with. */
export type StatusQuestion = { about: "release" } | { about: "snooze"; field: keyof Snooze };

type Handlers = { onChange: (change: StatusChange) => void; onAsk: (question: StatusQuestion) => void };

/** In which release errors are resolved. */
export function releaseEntries({ onChange, onAsk }: Handlers): MenuEntry[] {
  return [
    { heading: "Fixed in" },
    {
      label: "The next release",
      icon: PackageCheck,
      onSelect: () => onChange({ status: RESOLVED, in: "next_release" }),
    },
    { label: "A release…", icon: Tag, takesFocus: true, onSelect: () => onAsk({ about: "release" }) },
  ];
}

type SnoozeOptions = Handlers & {
  /** Whether a single error is chosen that is snoozed now. */
  isSnoozed: boolean;
  now: Date;
  timeZone: string;
};

/** Until when errors are ignored. */
export function snoozeEntries({ isSnoozed, now, timeZone, onChange, onAsk }: SnoozeOptions): MenuEntry[] {
  const ask = (field: keyof Snooze) => ({
    takesFocus: true,
    onSelect: () => onAsk({ about: "snooze", field }),
  });
  return [
    { heading: "Ignore until" },
    ...snoozeTimes(now, timeZone)
      .filter(({ label }) => label !== "Later today")
      .map(({ label, at }) => ({
        label,
        icon: Clock,
        onSelect: () => onChange({ status: IGNORED, until: { at: at.toISOString() } }),
      })),
    { label: "A date and time…", icon: CalendarClock, shortcut: CATALOG.snooze.keys, ...ask("at") },
    { label: "More events…", icon: Hash, ...ask("occurrences") },
    { label: "More users…", icon: Users, ...ask("users") },
    { label: "A release…", icon: Tag, ...ask("release") },
    isSnoozed && "separator",
    isSnoozed && { label: "End snooze", icon: RotateCcw, onSelect: () => onChange({ status: OPEN }) },
    isSnoozed && {
      label: "Ignore indefinitely",
      icon: BellOff,
      onSelect: () => onChange({ status: IGNORED }),
    },
  ];
}
