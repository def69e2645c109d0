/** The script that a page includes. Defines the global `Signalbox`. */
import { readSettings } from "../settings.ts";
import { start, type Signalbox } from "./start.ts";

const page = window as unknown as { Signalbox?: Signalbox; SignalboxOptions?: unknown };

function startFromTag() {
  const script = document.currentScript;
  // A second tag makes no second button.
  if (!(script instanceof HTMLScriptElement) || page.Signalbox?.on) return;
  page.Signalbox = start(new URL(".", script.src).href, readSettings(script.dataset, page.SignalboxOptions));
  window.dispatchEvent(new CustomEvent("signalbox:ready"));
}

startFromTag();
