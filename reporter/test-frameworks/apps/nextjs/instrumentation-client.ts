import { init } from "@signalbox/reporter";

init({
  url: process.env.NEXT_PUBLIC_SIGNALBOX_URL,
  project: process.env.NEXT_PUBLIC_SIGNALBOX_PROJECT,
  key: process.env.NEXT_PUBLIC_SIGNALBOX_KEY,
});
