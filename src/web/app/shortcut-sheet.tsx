import { useProfile } from "../data/account/session.ts";
import { Dialog } from "../kit/dialog.tsx";
import { Kbd } from "../kit/kbd.tsx";
import { CATALOG } from "../keys/catalog.ts";
import { FORMAT_KEYS } from "../keys/format-keys.ts";

/** All keyboard shortcuts: those of the catalog and those of the editor. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { single_keys } = useProfile();
  const writing = Object.values(FORMAT_KEYS).map((format) => ({ ...format, group: "Writing" }));
  const groups = Map.groupBy([...Object.values(CATALOG), ...writing], ({ group }): string => group);
  return (
    <Dialog
      title="Keyboard shortcuts"
      description={
        single_keys
          ? "You can turn off single-key shortcuts in your profile."
          : "Single-key shortcuts are turned off in your profile. Shortcuts with ⌘, Ctrl or Alt still work."
      }
      size="lg"
      open
      onClose={onClose}
    >
      {/* Nothing in it takes the focus, so the sheet itself does: to be scrolled by keys. */}
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
        tabIndex={0}
        role="group"
        aria-label="All shortcuts"
        className="-mx-3 -mt-1 rounded-md px-3 pt-2 -outline-offset-2!"
      >
        <div className="gap-6 sm:columns-2">
          {[...groups].map(([group, commands]) => (
            <section key={group} className="mb-6 break-inside-avoid">
              <h3 className="text-text-2 mb-1 font-semibold">{group}</h3>
              <dl>
                {commands.map(({ keys, label }) => (
                  <div
                    key={label}
                    className="border-line flex items-center justify-between gap-4 border-b py-1"
                  >
                    <dt>{label}</dt>
                    <dd>
                      <Kbd keys={keys} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
    </Dialog>
  );
}
