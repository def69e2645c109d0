export default defineNuxtConfig({
  compatibilityDate: "2026-01-01",
  runtimeConfig: { public: { signalboxUrl: "", signalboxProject: "", signalboxKey: "" } },
});
