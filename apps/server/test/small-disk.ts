import { execFileSync } from "node:child_process";
import { temporaryFolder } from "./temporary.js";

/** Mounts a file system in memory, such as of "1m", which only root may do; returns whether it could. */
export function mountSmall(folder: string, size: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "none", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export function unmount(folder: string): void {
  execFileSync("umount", [folder]);
}

export function canMount(): boolean {
  const trial = temporaryFolder();
  const mounted = mountSmall(trial, "1m");
  if (mounted) unmount(trial);
  return mounted;
}
