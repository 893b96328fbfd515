import { payload, success } from "../calls.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import type { Form, Read, Shape, Written } from "./bodies.js";
import type { RawExtensionsClient } from "./raw.js";

/** Calendar files that the server fetches again and again. */
export interface SyncsApi {
  /** Reads the syncs of the account, or of one calendar. */
  list(calendarId?: string, options?: RequestOptions): Promise<readonly Sync[]>;
  /** Adds a sync: a running server fetches the file within a minute. */
  create(params: CreateSyncParams, options?: RequestOptions): Promise<Sync>;
  /** Changes where a file is, or how often it is fetched. */
  update(syncId: string, changes: SyncChanges, options?: RequestOptions): Promise<Sync>;
  /** Makes a sync due: a running server fetches the file within a minute. */
  run(syncId: string, options?: RequestOptions): Promise<Sync>;
  /** Deletes a sync; its events stay. */
  delete(syncId: string, options?: RequestOptions): Promise<DeletedSync>;
}

/** A calendar file that the server fetches again and again into a calendar. */
export interface Sync extends Shape<Read<"syncs/list/">["syncs"][number]> {}
/** Parameters of a new sync. */
export interface CreateSyncParams extends Omit<Form<"syncs/create/">, "every_minutes"> {
  /** How often the file is fetched: 15 to 43200; 60 when not given. */
  readonly every_minutes?: number | string | undefined;
}

/** The fields of a sync to change. */
export interface SyncChanges extends Omit<Form<"syncs/update/">, "sync_id" | "every_minutes"> {
  /** How often the file is fetched: 15 to 43200. */
  readonly every_minutes?: number | string | undefined;
}

/** The id of a sync that was deleted. */
export interface DeletedSync extends Shape<Written<"syncs/delete/">["sync"]> {}

/** @internal */
export function syncsApi(raw: RawExtensionsClient, send: Send): SyncsApi {
  return {
    list: async (calendar_id, options) => {
      const query = calendar_id === undefined ? {} : { calendar_id };
      const call = raw.GET("/api/kalends/v1/syncs/list/", { params: { query }, fetch: send(options) });
      return (await success(call, "syncs", "list")).syncs;
    },
    create: ({ every_minutes, ...params }, options) => {
      const body = { ...params, ...(every_minutes !== undefined && { every_minutes: `${every_minutes}` }) };
      return payload(raw.POST("/api/kalends/v1/syncs/create/", { body, fetch: send(options) }), "sync");
    },
    update: (sync_id, { every_minutes, ...changes }, options) => {
      const body = {
        ...changes,
        sync_id,
        ...(every_minutes !== undefined && { every_minutes: `${every_minutes}` }),
      };
      return payload(raw.POST("/api/kalends/v1/syncs/update/", { body, fetch: send(options) }), "sync");
    },
    run: (sync_id, options) =>
      payload(raw.POST("/api/kalends/v1/syncs/run/", { body: { sync_id }, fetch: send(options) }), "sync"),
    delete: (sync_id, options) =>
      payload(raw.POST("/api/kalends/v1/syncs/delete/", { body: { sync_id }, fetch: send(options) }), "sync"),
  };
}
