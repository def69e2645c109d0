/* The source of a bundle. The test expects the error at its position in this file. */
import { init } from "@signalbox/reporter";

interface Failure {
  message: string;
}

function fail({ message }: Failure): never {
  throw new Error(message);
}

init();
fail({ message: "bundled" });
