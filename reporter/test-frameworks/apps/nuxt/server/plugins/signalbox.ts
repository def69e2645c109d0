import { init } from "@signalbox/reporter";
import { nitroErrors } from "@signalbox/reporter/nuxt";

init();

export default defineNitroPlugin(nitroErrors());
