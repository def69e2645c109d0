import { init } from "@signalbox/reporter";
import { nuxtErrors } from "@signalbox/reporter/nuxt";

const report = nuxtErrors();

export default defineNuxtPlugin((nuxtApp) => {
  const { signalboxUrl, signalboxProject, signalboxKey } = useRuntimeConfig().public;
  if (import.meta.client) init({ url: signalboxUrl, project: signalboxProject, key: signalboxKey });
  report(nuxtApp);
});
