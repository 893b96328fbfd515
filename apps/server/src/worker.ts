import cluster from "node:cluster";
import { readConfig } from "./config.js";
import { watchOpenFiles } from "./open-files-watch.js";
import { openLog, startHere } from "./serve.js";
import { startFailure } from "./start-failure.js";
import { surviveUnexpectedErrors } from "./unexpected-errors.js";

// One of the processes that answer requests where WORKERS is more than 1. Its argument is its number; workers.ts starts it.

// Terminals and service managers signal every process of a service. Only the primary process acts on it, and passes it on.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR2"] as const) process.on(signal, () => undefined);

async function work(number: number): Promise<void> {
  const { worker } = cluster;
  if (worker === undefined) throw new Error("Workers are started by the server: set WORKERS.");
  let stop = (): Promise<void> => Promise.resolve();
  const leave = (): void => {
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  worker.on("error", () => undefined); // a message to a first process that is gone
  worker.on("message", (message: unknown) => {
    if (message === "stop") leave();
  });
  // The first process wants this one to go, and the last connection has ended; or the first process is gone.
  worker.once("disconnect", () => {
    worker.exitedAfterDisconnect = true; // else Node ends the process at once, with what is in flight
    leave();
  });
  if (!worker.isConnected()) leave(); // it was disconnected while its code was loaded

  const config = readConfig();
  const log = openLog(config, { worker: number });
  watchOpenFiles(log);
  const { started } = surviveUnexpectedErrors(log, () => stop());
  const server = await startHere({ config, log, runsJobs: number === 1 });
  stop = () => server.stop();
  void server.lost?.then(({ message }) => worker.send({ lost: message })); // the first process stops all workers
  started();
  worker.send({ listening: server.url });
}

work(Number(process.argv[2])).catch((error: unknown) => {
  console.error(startFailure(error));
  process.exit(1); // the channel to the first process would keep it alive
});
