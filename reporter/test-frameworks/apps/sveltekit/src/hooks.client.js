import { init } from "@signalbox/reporter";
import { svelteKitErrors } from "@signalbox/reporter/sveltekit";

init({
  url: import.meta.env.VITE_SIGNALBOX_URL,
  project: import.meta.env.VITE_SIGNALBOX_PROJECT,
  key: import.meta.env.VITE_SIGNALBOX_KEY,
});
export const handleError = svelteKitErrors();
