import { Button } from "../kit/button.tsx";

/** Submits a `SettingsForm`, once something has changed. */
export function SaveButton({ busy, disabled }: { busy: boolean; disabled: boolean }) {
  return (
    <div>
      <Button type="submit" variant="primary" busy={busy} disabled={disabled} shortcut="mod+Enter">
        Save
      </Button>
    </div>
  );
}
