import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { readConfig } from "../../apps/server/src/settings/config.js";
import { readStages } from "./dockerfile.js";

// The manifests as kubectl decodes them into the types of Kubernetes: it refuses a value of another type and drops a field that it does
// not know. Without a cluster it does so for what has a pod template.

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const page = read("docs/kubernetes.md");

interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports: readonly { readonly containerPort: number }[];
  readonly securityContext: object;
}
interface PodSpec {
  readonly containers: readonly [Container];
  readonly securityContext: { readonly runAsUser: number };
  readonly terminationGracePeriodSeconds: number;
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template?: { readonly metadata: object; readonly spec: PodSpec };
    readonly jobTemplate?: { readonly spec: { readonly template: { readonly spec: PodSpec } } };
  };
}

const manifests: readonly Manifest[] = parseAllDocuments(read("examples/kubernetes/kalends.yaml")).map(
  (one) => one.toJS(),
);
const [deployment, service, claim, backup] = manifests;
const pods = [deployment?.spec.template?.spec, backup?.spec.jobTemplate?.spec.template.spec];

/** What kubectl makes of a manifest. */
function decoded(manifest: object): object {
  const options = { input: JSON.stringify(manifest), encoding: "utf8", stdio: "pipe" } as const;
  return JSON.parse(
    execFileSync("kubectl", ["set", "image", "--local", "-f", "-", "*=x", "-o", "json"], options),
  );
}

/** A manifest whose images are those that `decoded` sets. */
const withImages = (manifest: object): object =>
  JSON.parse(JSON.stringify(manifest), (key, value: unknown) => (key === "image" ? "x" : value));

describe("the manifests for Kubernetes", () => {
  test("are what kubectl knows, field for field, and it finds a misspelled field and a wrong type", () => {
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "backup" }, spec: pods[1] };
    for (const manifest of [deployment ?? {}, pod])
      expect(decoded(manifest)).toMatchObject(withImages(manifest));
    const text = JSON.stringify(deployment);
    const misspelled: object = JSON.parse(text.replace("readinessProbe", "readynessProbe"));
    expect(decoded(misspelled)).not.toMatchObject(withImages(misspelled));
    expect(() => decoded(JSON.parse(text.replace('"replicas":2', '"replicas":"two"')))).toThrow(
      "cannot unmarshal",
    );
  });

  test("belong together: one Deployment, its Service, and the volume of the backups", () => {
    expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      "Deployment kalends",
      "Service kalends",
      "PersistentVolumeClaim kalends-backups",
      "CronJob kalends-backup",
    ]);
    expect(service?.spec).toEqual({
      selector: { app: "kalends" },
      ports: [{ name: "http", port: 80, targetPort: "http" }],
    });
    expect(deployment?.spec.template?.metadata).toEqual({ labels: { app: "kalends" } });
    expect(claim?.spec).toEqual({
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "20Gi" } },
    });
    expect(pods[1]).toMatchObject({
      volumes: [{ name: "backups", persistentVolumeClaim: { claimName: "kalends-backups" } }],
    });
    expect(backup?.spec).toMatchObject({ schedule: "17 2 * * *", concurrencyPolicy: "Forbid" });
  });

  test("run the image as its Dockerfile says, with valid settings, and give no rights", () => {
    const image = readStages(read("apps/server/Dockerfile")).at(-1);
    const [server] = pods;
    const [container] = server?.containers ?? [];
    const env = Object.fromEntries(container?.env.map(({ name, value = "x" }) => [name, value]) ?? []);
    expect(readConfig(env)).toMatchObject({ PUBLIC_URL: "https://calendars.example.com", TRUST_PROXY: 1 });
    expect(JSON.stringify(image)).toContain(`${String(server?.securityContext.runAsUser)}:1000`);
    expect(JSON.stringify(image)).toContain(`PORT=${String(container?.ports[0]?.containerPort)}`);
    expect(server?.terminationGracePeriodSeconds).toBeGreaterThan(5 + 10);
    for (const pod of pods) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true },
      });
      expect(pod?.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  });

  test("have the version of this release, and the page names what they have", () => {
    const { version }: { version: string } = JSON.parse(read("apps/server/package.json"));
    expect(read("examples/kubernetes/kalends.yaml")).toContain(`image: ghcr.io/kalends/kalends:${version}\n`);
    for (const { metadata } of manifests) expect(page).toContain(metadata.name);
  });
});
