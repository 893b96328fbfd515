import type { Logger } from "pino";
import { neededFiles, openFilesAdvice, openFilesFailure } from "../db/open-files.js";

/** How often a process looks, and how often it says so again while the limit is reached, in ms. */
const lookMs = 250;
const repeatMs = 60_000;

/**
 * Logs by name that this process is at its limit of open files, whatever it does at that moment. Without it such a limit shows
 * in many ways, or not at all: the operating system closes new connections, or lets them wait, before a program sees them.
 */
export function watchOpenFiles(log: Logger): void {
  let quietUntil = -Infinity;
  setInterval(() => {
    const now = performance.now();
    if (now < quietUntil) return;
    const failure = openFilesFailure();
    if (failure === undefined) return;
    quietUntil = now + repeatMs;
    log.error({ code: failure.code, needed: neededFiles }, openFilesAdvice);
  }, lookMs).unref();
}
