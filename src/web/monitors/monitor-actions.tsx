import { Bell, BellOff, EllipsisVertical, Link2, Pencil, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import type { Monitor } from "../../shared/monitors.ts";
import type { Project } from "../../shared/projects.ts";
import {
  deleteMonitor,
  monitorKey,
  muteMonitor,
  renewPingUrl,
  unmuteMonitor,
} from "../data/monitors/monitors.ts";
import { useSend } from "../forms/use-send.ts";
import { Button } from "../kit/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { lazyPart } from "../kit/lazy-part.tsx";
import { Menu } from "../kit/menu.tsx";
import { toast } from "../kit/notices/toast.ts";

const MonitorDialog = lazyPart(async () => (await import("./monitor-dialog.tsx")).MonitorDialog);
const MuteDialog = lazyPart(async () => (await import("./mute-dialog.tsx")).MuteDialog);

type Props = { project: Project; monitor: Monitor; onDeleted: () => void };

/** Edits, mutes or deletes a monitor, or gives it a new ping URL. */
export function MonitorActions({ project, monitor, onDeleted }: Props) {
  const { slug, name, muted_until } = monitor;
  const [opened, setOpened] = useState<"edit" | "mute" | "ping-url" | "delete">();
  const close = () => setOpened(undefined);
  const stale = [monitorKey(project.id)];
  const mute = useSend({
    send: (until: Date) => muteMonitor(project.id, slug, until),
    stale,
    failed: "The monitor could not be muted",
  });
  const unmute = useSend({
    send: () => unmuteMonitor(project.id, slug),
    stale,
    failed: "The monitor could not be unmuted",
  });
  const renew = useSend({ send: () => renewPingUrl(project.id, slug), stale });
  const remove = useSend({
    send: () => deleteMonitor(project.id, slug),
    stale: [
      ["monitor", project.id, "list"],
      ["counts", project.id],
    ],
  });
  return (
    <>
      <Button icon={Pencil} onClick={() => setOpened("edit")}>
        Edit
      </Button>
      <Menu
        label="Actions for the monitor"
        align="end"
        trigger={<IconButton icon={EllipsisVertical} label="Actions for the monitor" />}
        items={[
          muted_until === null
            ? { label: "Mute", icon: BellOff, onSelect: () => setOpened("mute") }
            : { label: "Unmute", icon: Bell, onSelect: () => unmute.mutate() },
          { label: "Replace ping URL", icon: Link2, onSelect: () => setOpened("ping-url") },
          "separator",
          { label: "Delete monitor", icon: Trash2, danger: true, onSelect: () => setOpened("delete") },
        ]}
      />
      <Suspense fallback={null}>
        {opened === "edit" && <MonitorDialog project={project} monitor={monitor} onClose={close} />}
        {opened === "mute" && (
          <MuteDialog
            name={name}
            onClose={close}
            onMute={(until) => {
              close();
              mute.mutate(until);
            }}
          />
        )}
      </Suspense>
      <ConfirmDialog
        open={opened === "ping-url"}
        onClose={close}
        title="Replace the ping URL?"
        confirm="Replace ping URL"
        tone="primary"
        onConfirm={async () => {
          await renew.mutateAsync();
          toast({ title: "Ping URL replaced", tone: "success" });
        }}
      >
        Jobs that call the current URL stop checking in until they have the new one.
      </ConfirmDialog>
      <ConfirmDialog
        open={opened === "delete"}
        onClose={close}
        title={`Delete “${name}”?`}
        confirm="Delete monitor"
        onConfirm={async () => {
          await remove.mutateAsync();
          toast({ title: "Monitor deleted", tone: "success" });
        }}
        onDone={onDeleted}
      >
        Its runs will be deleted. Its errors are kept. This can’t be undone.
      </ConfirmDialog>
    </>
  );
}
