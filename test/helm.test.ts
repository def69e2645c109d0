import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import path from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";

const CHART = path.join(import.meta.dirname, "../deploy/helm");

const run = promisify(execFile);
const hasHelm = spawnSync("helm", ["version"]).status === 0;

type Probe = { httpGet: { path: string } };
type Container = {
  command?: string[];
  env: { name: string; value: string }[];
  envFrom: unknown[];
  securityContext: Record<string, unknown>;
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
};
type Manifest = {
  kind: string;
  metadata: { annotations?: Record<string, string> };
  spec: {
    replicas?: number;
    minAvailable?: number;
    selector?: { matchLabels?: Record<string, string> };
    strategy?: { rollingUpdate: { maxUnavailable: number } };
    template: {
      metadata: { labels: Record<string, string> };
      spec: { enableServiceLinks: boolean; terminationGracePeriodSeconds?: number; containers: [Container] };
    };
  };
};

/** The manifests by kind. */
async function render(...settings: string[]): Promise<Record<string, Manifest>> {
  // Helm that was built from its source assumes an old Kubernetes.
  const args = [
    "template",
    "acme",
    CHART,
    "--kube-version=1.31.0",
    ...settings.flatMap((setting) => ["--set", setting]),
  ];
  const { stdout } = await run("helm", args);
  const manifests = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
  return Object.fromEntries(manifests.map((manifest) => [manifest.kind, manifest]));
}

if (hasHelm) void describe("the Helm chart", chart);
else void test("NOT TESTED: Helm is not installed", () => {});

function chart() {
  const SECRET = "existingSecret=signalbox";

  test("helm lint finds nothing", async () => {
    const { stdout } = await run("helm", ["lint", "--strict", "--set", SECRET, CHART]);
    assert.match(stdout, /1 chart\(s\) linted, 0 chart\(s\) failed/);
  });

  test("without the name of a secret, it says what is missing", async () => {
    await assert.rejects(render(), /existingSecret is required: the name of a secret with DATABASE_URL/);
  });

  test("servers are replaced one by one, and traffic goes to those that are ready", async () => {
    const { Deployment } = await render(SECRET, "replicas=5");
    const { spec } = Deployment as Manifest;
    assert.equal(spec.replicas, 5);
    assert.equal(spec.strategy?.rollingUpdate.maxUnavailable, 0);
    const [container] = spec.template.spec.containers;
    assert.deepEqual(
      [container.startupProbe, container.livenessProbe, container.readinessProbe].map(
        (one) => one?.httpGet.path,
      ),
      ["/api/health", "/api/health", "/api/ready"],
    );
  });

  test("a server is not killed before it has drained and stopped, however long it drains", async () => {
    for (const seconds of [0, 8, 300]) {
      const { Deployment } = await render(SECRET, `settings.DRAIN_SECONDS=${seconds}`);
      const grace = Deployment?.spec.template.spec.terminationGracePeriodSeconds ?? 0;
      assert.ok(grace > seconds + 20, `${grace} s for ${seconds} s`);
    }
  });

  test("migrations run in a job before servers of a new version start", async () => {
    const { Job, Deployment } = await render(SECRET);
    const { metadata, spec } = Job as Manifest;
    assert.equal(metadata.annotations?.["helm.sh/hook"], "pre-install,pre-upgrade");
    const [migration] = spec.template.spec.containers;
    assert.deepEqual(migration.command, ["node", "signalbox.mjs", "migrate"]);
    const [server] = (Deployment as Manifest).spec.template.spec.containers;
    assert.deepEqual([migration.env, migration.envFrom], [server.env, server.envFrom]);
  });

  test("a disruption budget keeps a server, unless there is only one anyway", async () => {
    const { PodDisruptionBudget, Deployment } = await render(SECRET);
    assert.equal(PodDisruptionBudget?.spec.minAvailable, 1);
    assert.deepEqual(PodDisruptionBudget?.spec.selector, Deployment?.spec.selector);
    assert.equal((await render(SECRET, "replicas=1"))["PodDisruptionBudget"], undefined);
  });

  test("containers run without privileges, and only with the settings that are given", async () => {
    for (const { kind, spec } of Object.values(await render(SECRET)).filter(({ spec }) => spec.template)) {
      assert.equal(spec.template.spec.enableServiceLinks, false, kind);
      assert.deepEqual(
        spec.template.spec.containers[0].securityContext,
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
        kind,
      );
    }
  });

  test("an ingress is rendered on request, with TLS", async () => {
    assert.equal((await render(SECRET))["Ingress"], undefined);
    const { Ingress } = await render(
      SECRET,
      "ingress.enabled=true",
      "ingress.host=work.example.com",
      "ingress.tlsSecret=tls",
    );
    const { tls, rules } = (Ingress as Manifest).spec as unknown as {
      tls: unknown;
      rules: { host: string }[];
    };
    assert.deepEqual(tls, [{ hosts: ["work.example.com"], secretName: "tls" }]);
    assert.equal(rules[0]?.host, "work.example.com");
  });
}
