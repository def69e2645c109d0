import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

// The scripts of package.json run `node`. npm links it in node_modules/.bin, from the Node package of this platform.
// npm 10, part of Node 20 and 22, then deletes the link together with the packages of the other platforms. npm runs
// this file after each installation and before the main scripts, on the Node that runs npm.
const link = new URL("../node_modules/.bin/node", import.meta.url);

if (!existsSync(link)) {
  const { optionalDependencies } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  const packages = Object.keys(optionalDependencies);
  execFileSync(process.execPath, [process.env.npm_execpath, "rebuild", "--ignore-scripts", ...packages]);
}

const [major, minor] = process.versions.node.split(".").map(Number);
if (!existsSync(link) && (major < 24 || (major === 24 && minor < 7))) {
  process.stderr.write(
    `npm did not install a Node for ${process.platform}-${process.arch}, and this one is ${process.versions.node}: ` +
      "install Node 24.7 or newer.\n",
  );
  process.exitCode = 1;
}
