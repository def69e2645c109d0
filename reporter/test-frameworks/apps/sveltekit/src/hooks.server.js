import { init } from "@signalbox/reporter";
import { svelteKitErrors } from "@signalbox/reporter/sveltekit";

init();
export const handleError = svelteKitErrors();
