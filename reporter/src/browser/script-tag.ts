/** The reporter as a classic script: it defines the global `signalbox`, with the exports of the module. */
import * as signalbox from "./index.ts";

Object.assign(globalThis, { signalbox });

/**
 * Starts the reporter with the attributes of the script tag, so that pages whose content security policy forbids inline
 * scripts need no script of their own. Without `data-project`, nothing starts until the page calls `signalbox.init`.
 */
function initFromTag(): void {
  const script = document.currentScript as HTMLScriptElement | null;
  if (!script?.dataset["project"]) return;
  const { project, key, environment, release, url = new URL("..", script.src).href } = script.dataset;
  signalbox.init({ url, project, key, environment, release });
}

initFromTag();
