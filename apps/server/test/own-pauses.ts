import { monitorEventLoopDelay } from "node:perf_hooks";

/** Watches for pauses of this process, in which it sends nothing, such as on a busy machine. */
export interface OwnPauses {
  /** Returns the longest pause so far, in ms. */
  longest(): number;
  end(): void;
}

/** Watches this process from now on. */
export function watchOwnPauses(): OwnPauses {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  return { longest: () => delays.max / 1e6, end: () => void delays.disable() };
}

/**
 * How long a client of a server that stops may leave a connection idle, in ms: half of the time after which the server closes
 * it (src/http/closing.ts).
 */
const briefMs = 250;

/** What a client gets that sends its next request too late, on a connection that the server has closed meanwhile. */
const lateCodes: readonly unknown[] = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

/** Returns the failures of clients in this process that no pause of it explains. */
export function unexplained(codes: readonly unknown[], pauses: OwnPauses): readonly unknown[] {
  if (pauses.longest() < briefMs) return codes;
  return codes.filter((code) => !lateCodes.includes(code));
}
