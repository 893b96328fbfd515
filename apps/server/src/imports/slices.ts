import type { Skipped } from "./read-event.js";
import type { Instance, Prepared } from "./instances.js";
import { prepare, type PrepareOptions } from "./prepare.js";
import { FileRefused } from "./reader.js";
import { few } from "./text.js";

// What the thread that reads a file answers. It keeps what the file comes to and hands it out piece by piece, when it is asked: to
// receive all of it at once would hold the event loop.

/** A calendar file and what its events depend on. */
export interface FileText extends PrepareOptions {
  readonly text: string;
}

/** Some of what a file comes to, in its order: first what is skipped. */
export type Slice = Prepared;

/** A file to read, or the place from which on a slice is wanted. */
export type SliceRequest = FileText | { readonly from: number };

export type SliceAnswer =
  | { readonly refused: string }
  /** How much the file comes to: events, and entries for what is skipped. */
  | { readonly events: number; readonly total: number }
  | { readonly slice: Slice; readonly next: number };

/** Most events of a slice, and most UTF-16 units of their texts; it has one event at least. */
const mostInSlice = 200;
const mostUnits = 262_144;

/** Returns what answers the requests of one import after the other, each when the one before is answered. */
export function answerSlices(post: (answer: SliceAnswer) => void): (request: SliceRequest) => Promise<void> {
  let prepared: Prepared = { instances: [], skipped: [] };
  return async (request) => {
    if ("from" in request) {
      post(sliceOf(prepared, request.from));
      return;
    }
    try {
      prepared = { instances: [], skipped: [] }; // that of the file before need not stay beside this one
      prepared = await prepare(request.text, request);
      const events = prepared.instances.length;
      post({ events, total: events + prepared.skipped.length });
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      post({ refused: error.message });
    }
  };
}

function sliceOf({ skipped, instances }: Prepared, from: number): SliceAnswer {
  const slice: { skipped: Skipped[]; instances: Instance[] } = { skipped: [], instances: [] };
  const texts = new Set<object>(); // those of a series are one object, which is copied once
  let [next, units] = [from, 0];
  while (next < skipped.length + instances.length && next - from < mostInSlice && units < mostUnits) {
    const skip = skipped[next];
    const instance = instances[next - skipped.length];
    if (skip !== undefined) slice.skipped.push(skip);
    else if (instance !== undefined) {
      slice.instances.push({ ...instance, notes: few(instance.notes) });
      if (!texts.has(instance.texts)) units += unitsOf(instance);
      texts.add(instance.texts);
    }
    next++;
  }
  return { slice, next };
}

function unitsOf({ texts }: Instance): number {
  const all: readonly (string | undefined)[] = Object.values(texts);
  return all.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}
