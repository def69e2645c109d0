import { init } from "@signalbox/reporter";
import { nextErrors } from "@signalbox/reporter/next";

export const register = () => void init();
export const onRequestError = nextErrors();
