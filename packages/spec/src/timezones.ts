import * as z from "zod";
import { access } from "./access.js";
import { contractRead, extensionRead, operation, type OperationTable } from "./operation.js";

const timeZone = z
  .object({
    label: z.string().meta({
      description: "Name of the time zone, to be sent as `timezone`.",
      example: "America/Los_Angeles",
    }),
    offset: z
      .string()
      .regex(/^-?[0-9]{2}:[0-9]{2}$/)
      .meta({
        description: "Offset of standard time from UTC, `HH:MM`; west of UTC with `-` in front.",
        example: "-08:00",
      }),
  })
  .meta({ id: "TimeZone", description: "A time zone that calendars and events can use." });

const payload = z.object({
  data: z.array(timeZone).meta({ description: "All time zones, sorted by label." }),
});

const findPayload = z.object({
  timezones: z.array(timeZone).meta({ description: "All time zones, sorted by label." }),
});

export const timezoneOperations = {
  listTimeZones: operation({
    ...contractRead,
    codeType: "integer",
    auth: "none",
    tag: "Time zones",
    section: "4.12",
    path: "/api/v1/timezones",
    summary: "List time zones",
    returns: "All time zones that can be used.",
    description:
      "Returns the time zones that can be used, sorted by label. Needs no token and takes no parameter; `meta.code` is an integer " +
      "here. Names and aliases of the IANA database that are not listed, such as `US/Pacific`, are accepted as well.",
    params: z.object({}),
    payload,
    errors: [],
  }),
  timezonesList: operation({
    ...extensionRead,
    tag: "Time zones",
    section: "time-zones-and-palettes",
    access: access.anyone,
    path: "/api/kalends/v1/timezones/list/",
    summary: "Find time zones",
    returns: "All time zones that can be used.",
    description: "Returns the time zones of the contract's `listTimeZones`, with a string as `meta.code`.",
    params: z.object({}),
    payload: findPayload,
    errors: [],
  }),
} satisfies OperationTable;
