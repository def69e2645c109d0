import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeCertificate } from "../support/certificate.ts";
import type { Answers } from "../support/name-server.ts";
import type { Happened, Scenario } from "../support/send-in-network.ts";

const HOST = "hooks.example.com";
/** Global addresses that belong to the machine in its own network. The second one is the first one's in 6to4. */
const GLOBAL = "93.184.216.34";
const GLOBAL_6TO4 = "2002:5db8:d822::1";

const IN_NETWORK = ["--map-root-user", "--net", "--mount"];
const program = fileURLToPath(import.meta.resolve("../support/send-in-network.ts"));
const needsNetworks = canMakeNetworks() ? false : "needs network namespaces (Linux, unshare and ip)";

function canMakeNetworks(): boolean {
  try {
    execFileSync("unshare", [...IN_NETWORK, "ip", "link", "set", "lo", "up"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("with a name server of its own", { skip: needsNetworks }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), "signalbox-names-"));
  after(() => rmSync(folder, { recursive: true }));
  const certificate = makeCertificate(HOST);
  const trusted = path.join(folder, "trusted.pem");
  writeFileSync(trusted, certificate.cert);
  const resolvConf = path.join(folder, "resolv.conf");
  writeFileSync(resolvConf, "nameserver 127.0.0.1\n");

  async function send(answers: Answers, options: Partial<Scenario> = {}): Promise<Happened> {
    const scenario: Scenario = { host: HOST, certificate, answers, sends: 1, ...options };
    const script = `ip link set lo up && ip address add ${GLOBAL}/32 dev lo && ip address add ${GLOBAL_6TO4}/128 dev lo nodad
      mount --bind "$1" /etc/resolv.conf && exec "$2" "$3" "$4"`;
    const values = [resolvConf, process.execPath, program, JSON.stringify(scenario)];
    const { stdout } = await promisify(execFile)(
      "unshare",
      [...IN_NETWORK, "sh", "-ec", script, "sh", ...values],
      {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted, NODE_OPTIONS: "" },
      },
    );
    return JSON.parse(stdout) as Happened;
  }

  test("a name with a global address is asked for once, and connected to", async () => {
    assert.deepEqual(await send({ A: [[GLOBAL]] }), {
      outcomes: [200],
      connections: [GLOBAL],
      queries: { A: 1, AAAA: 1 },
    });
  });

  test("a 6to4 address of a global address is connected to", async () => {
    const { outcomes, connections } = await send({ AAAA: [[GLOBAL_6TO4]] });
    assert.deepEqual([outcomes, connections], [[200], [GLOBAL_6TO4]]);
  });

  test("a name that changes to an internal address after the check is connected to at the address that was checked", async () => {
    const { outcomes, connections, queries } = await send({ A: [[GLOBAL], ["127.0.0.1"]] });
    assert.deepEqual([outcomes, connections, queries.A], [[200], [GLOBAL], 1]);
  });

  test("a name that was rebound to an internal address is not connected to at the next attempt", async () => {
    const { outcomes, connections } = await send({ A: [[GLOBAL], ["127.0.0.1"]] }, { sends: 2 });
    assert.deepEqual([outcomes, connections], [[200, "address_not_allowed"], [GLOBAL]]);
  });

  for (const answers of [
    { A: [["127.0.0.1"]] },
    { A: [[GLOBAL, "10.0.0.1"]] },
    { A: [["10.0.0.1", GLOBAL]] },
    { A: [[GLOBAL]], AAAA: [["::1"]] },
    { AAAA: [["::ffff:7f00:1"]] },
    { AAAA: [["2002:7f00:1::"]] },
    { AAAA: [["64:ff9b::7f00:1"]] },
    { AAAA: [["fe80::1"]] },
    { A: [["169.254.169.254"]] },
  ])
    test(`a name with the addresses ${JSON.stringify(answers)} is not connected to`, async () => {
      const { outcomes, connections } = await send(answers);
      assert.deepEqual([outcomes, connections], [["address_not_allowed"], []]);
    });

  test("a name without an address is an error of the lookup", async () => {
    const { outcomes, connections } = await send({});
    assert.deepEqual([outcomes, connections], [["lookup"], []]);
  });

  test("a name server that does not answer is a timeout", async () => {
    const { outcomes, connections } = await send({ isSilent: true }, { headersMs: 500 });
    assert.deepEqual([outcomes, connections], [["timeout"], []]);
  });
});
