/* The source of a bundle: where the error of this file lies must survive bundling. */
import { init } from "@signalbox/reporter";

interface Failure {
  message: string;
}

function fail({ message }: Failure): never {
  throw new Error(message);
}

init();
fail({ message: "bundled" });
