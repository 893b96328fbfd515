import * as z from "zod";
import { payloadExample } from "./example.js";
import { type Operation, operation } from "./operation.js";

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

export const timezoneOperations = {
  listTimeZones: operation({
    section: "4.12",
    path: "/api/v1/timezones",
    kind: "read",
    methods: ["get"],
    codeType: "integer",
    tag: "Time zones",
    summary: "List time zones",
    returns: "All time zones that can be used.",
    description:
      "Returns the time zones that can be used, sorted by label. Needs no token and takes no parameter; `meta.code` is an integer " +
      "here. Names and aliases of the IANA database that are not listed, such as `US/Pacific`, are accepted as well.",
    auth: "none",
    params: z.object({}),
    payload,
    errors: [],
    example: { request: {}, payload: payloadExample(payload) },
  }),
} satisfies Record<string, Operation>;
