import { spawn } from "node:child_process";
import { extname } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

// Pictures are decoded by a process of their own, one after the other (docs/decisions/0024-pictures.md).

/** Most pixels of a picture that is sent (extensions X11.2). */
export const mostPicturePixels = 50_000_000;

/** What is served of a picture, by the end of its address, in base64. */
export type PictureFiles = Readonly<Record<"320.webp" | "640.webp" | "1280.webp" | "1200.jpg", string>>;

export interface ProcessedPicture {
  /** Of the picture that was sent, upright. */
  readonly width: number;
  readonly height: number;
  readonly files: PictureFiles;
}

/** What the decoder says of a picture that it cannot read. */
export interface RefusedPicture {
  readonly refused: string;
}

/** Said of one whose decoder would need more memory than the process may take. */
export const tooMuchMemory =
  "is of a kind that needs too much memory at this size: send it smaller, or as a JPEG";

/** A file that is no picture that is taken; the message continues after the name of the parameter. */
export class PictureRefused extends Error {}

/** How long one may take, in ms: a real one of 50 megapixels takes 3 s on a busy machine. */
const mostMs = 20_000;

/**
 * Returns what is served of a picture, given in base64, which begins as one.
 * @throws PictureRefused when it is damaged, has too many pixels or takes too long
 */
export async function processPicture(base64: string): Promise<ProcessedPicture> {
  const { output, errors, signal } = await run(base64);
  if (signal === "SIGKILL") throw new PictureRefused("takes too long to be read, or too much memory");
  if (signal !== null) throw new PictureRefused("cannot be read: it is damaged");
  if (output === "") throw new Error(`The process that reads pictures has failed: ${errors.slice(0, 2_000)}`);
  const result: ProcessedPicture | RefusedPicture = JSON.parse(output);
  if (!("refused" in result)) return result;
  if (result.refused === tooMuchMemory) throw new PictureRefused(tooMuchMemory);
  if (/pixel limit/i.test(result.refused)) throw new PictureRefused("must have at most 50 megapixels");
  throw new PictureRefused("cannot be read: it is damaged, or of a kind that is not supported");
}

interface Run {
  readonly output: string;
  readonly errors: string;
  /** What has ended it; null where it has ended by itself. */
  readonly signal: NodeJS.Signals | null;
}

/** Runs the process, which has none of this one's settings and secrets. */
async function run(input: string): Promise<Run> {
  const child = spawn(process.execPath, program(), {
    env: { MALLOC_ARENA_MAX: "2" },
    stdio: ["pipe", "pipe", "pipe"],
    timeout: mostMs,
    killSignal: "SIGKILL",
  });
  child.stdin.on("error", () => undefined); // it has ended before it has read everything
  child.stdin.end(input);
  const ended = new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.on("error", reject).on("close", (_code, signal) => resolve(signal));
  });
  const [output, errors, signal] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { output, errors, signal };
}

/** The program is a file of its own (docs/decisions/0005-launcher-versions-bundle.md). From sources, tsx loads it. */
function program(): readonly string[] {
  const limits = ["--max-old-space-size=128"];
  if (extname(import.meta.url) !== ".ts")
    return [...limits, fileURLToPath(new URL("picture-process.js", import.meta.url))];
  const loader = import.meta.resolve("tsx");
  const source = fileURLToPath(new URL("picture-process.ts", import.meta.url));
  return [...limits, "--conditions", "@kalends/source", "--import", loader, source];
}
