import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { expect } from "vitest";
import { request } from "../harness.js";
import { readPage, repository } from "../pages.js";
import { call, current, type Step } from "./steps.js";

/** The blocks of docs/self-hosting.md up to a service behind nginx. */
export const installation: readonly Step[] = [
  {
    heading: "Install Node",
    shows: "the packages that the next blocks need",
    check: (_guide, _output, calls) => {
      const packages = calls.at(-1)?.split(" ") ?? [];
      expect(packages).toEqual(expect.arrayContaining(["certbot", "curl", "git", "nginx", "xz-utils"]));
    },
  },
  {
    heading: "Install Node",
    shows: "the tarball is checked, unpacked, and in the path",
    check: (guide, output) => {
      expect(output).toBe(`node-v24.9.9-linux-x64.tar.xz: OK\n${process.version}\n`);
      for (const name of ["node", "npm", "npx"])
        expect(existsSync(guide.machine.at(`/usr/local/bin/${name}`))).toBe(true);
    },
  },
  {
    heading: "Build a release",
    shows: "the release is in a folder of its own, and the command runs it",
    check: (guide, output, calls) => {
      const { version } = JSON.parse(readPage("apps/server/package.json"));
      expect(output).toBe(`${version}\n`);
      expect(current(guide)).toBe("v1.0.0");
      const deploy = calls
        .find((call) => call.includes(" deploy "))
        ?.replace(/^npm run pnpm -- (.*) \S+$/, "$1");
      expect(readPage("apps/server/Dockerfile")).toContain(`npm run pnpm -- ${deploy} /app`); // deep/server/deploy.deep.test.ts
    },
  },
  {
    heading: "Start the service",
    shows: "it is ready, made no account, prints no token, and its settings are private",
    check: async (guide, output, calls) => {
      expect(output).toContain("kalends account create");
      expect(output).not.toContain("kal_");
      expect(statSync(guide.machine.at("/etc/kalends.env")).mode & 0o777).toBe(0o640);
      expect(calls).toContain("systemctl enable --now kalends kalends-backup.timer");
      expect(readdirSync(guide.machine.at("/etc/systemd/system"))).toEqual(
        readdirSync(`${repository}/examples/systemd`),
      );
      await expect.poll(async () => (await request(`${guide.machine.url}/readyz`)).status).toBe(200);
    },
  },
  {
    heading: "Start the service",
    shows: "an account is made, its token is accepted, and a person of it gets a link",
    check: async (guide, output) => {
      expect(output).toMatch(/"link": ?"http\S+\/console\/join#/);
      [guide.token = ""] = /\bkal_\w+/.exec(output) ?? [];
      expect((await call(guide, "create", { title: "First" })).status).toBe(200);
    },
  },
  {
    heading: "Put nginx in front",
    shows: "the files for one server, and a certificate from the folder that they serve",
    check: (guide, _output, calls) => {
      expect(calls.slice(-2)).toEqual(["nginx -t", "systemctl reload nginx"]);
      const installed = readdirSync(guide.machine.at("/etc/nginx/conf.d"));
      expect(installed).toEqual(["kalends-one-server.conf", "kalends.conf"]);
      for (const file of installed)
        expect(readFileSync(guide.machine.at(`/etc/nginx/conf.d/${file}`), "utf8")).toBe(
          readPage(`examples/nginx/${file}`),
        );
      const [, folder] = / --webroot-path (\S+) /.exec(calls[0] ?? "") ?? [];
      expect(readPage("examples/nginx/kalends.conf")).toContain(`root ${folder};`);
    },
  },
  {
    heading: "Check the installation",
    shows: "the doctor finds nothing wrong",
    check: (_guide, output) => expect(output).not.toMatch(/FAILED/),
  },
];
