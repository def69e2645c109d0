import { use } from "react";
import { Button } from "../kit/button.tsx";
import { PanelHeading } from "./panel-heading.ts";

/** Submits a `SettingsForm`, once something has changed. */
export function SaveButton({ busy, disabled }: { busy: boolean; disabled: boolean }) {
  return (
    <div>
      <Button
        type="submit"
        variant="primary"
        // A page can have several.
        aria-describedby={use(PanelHeading)}
        busy={busy}
        disabled={disabled}
        shortcut="mod+Enter"
      >
        Save
      </Button>
    </div>
  );
}
