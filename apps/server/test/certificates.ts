import { spawnSync } from "node:child_process";

/** Whether certificates can be made here: with the program openssl. */
export const makesCertificates = spawnSync("openssl", ["version"]).status === 0;

/** Writes a new key and a certificate of 127.0.0.1 that no authority has signed, as PEM files. */
export function makeCertificate(key: string, certificate: string): void {
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const { status, stderr } = spawnSync("openssl", [
    ...["req", ...kind, ...subject],
    ...["-keyout", key, "-out", certificate],
  ]);
  if (status !== 0) throw new Error(String(stderr));
}
