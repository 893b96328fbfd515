import { equal, expect, show } from "../engine/assert.js";
import { observed, reads, required } from "../engine/check.js";
import { isItem } from "../engine/item.js";
import { metaCode } from "../engine/target.js";
import { eachSample, type Kind } from "../steps/answers.js";
import { outcome } from "../steps/observations.js";

const refusals: readonly Kind[] = ["no token", "wrong token", "missing"];

/** contract 7: errors. */
export const checks = [
  required("errors.status", "7.1 errors", "An error has an HTTP status of its own, not a 200", reads, (kit) =>
    eachSample(kit, refusals, ({ answer: { status } }, name) => expect(status >= 400 && status < 500, `${name}: expected HTTP 4xx, got ${status}.`)),
  ),
  required("errors.json", ["7.1 errors", "1.2 json"], "The body of an error is a JSON object", reads, (kit) =>
    eachSample(kit, [...refusals, "absent"], ({ answer }, name) =>
      expect(isItem(answer.body), `${name}: expected a JSON object, got ${show(answer.text)}.`),
    ),
  ),
  required("errors.code-is-not-200", "7.2 success", "meta.code of an error is not 200", reads, (kit) =>
    eachSample(kit, refusals, ({ answer }, name) => expect(metaCode(answer) !== 200, `${name}: HTTP ${answer.status} with meta.code 200.`)),
  ),
  required("envelope.success", ["7.2 success", "1.6 meta", "1.3 codes"], "A success has HTTP 200 and meta.code 200", reads, (kit) =>
    eachSample(kit, ["success"], ({ answer }, name) => equal([answer.status, metaCode(answer)], [200, 200], `HTTP status and meta.code of ${name}`)),
  ),
  observed("auth.observed.statuses", "7.1 errors", "What no token, a wrong token and an absent id answer", reads, async (kit) => {
    kit.observe(`no token: ${outcome(await kit.call("listCalendars", {}, { as: "none" }))}`);
    kit.observe(`wrong token: ${outcome(await kit.call("listCalendars", {}, { as: { token: "kalconf-wrong" } }))}`);
    kit.observe(`absent id: ${outcome(await kit.call("listEvents", { calendar_id: "999999999999" }))}`);
  }),
];
