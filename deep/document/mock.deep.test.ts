import { type Operation, type ContractId, contractIds, operations } from "@kalends/spec";
import { exampleBody } from "@kalends/spec/document";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Prism, startPrism } from "./prism.js";
import { published } from "./project.js";

let prism: Prism;

beforeAll(async () => {
  prism = await startPrism(["mock", published("openapi.json")]);
});

afterAll(async () => {
  await prism.stop();
});

const requests = contractIds.flatMap((id) => {
  const op: Operation = operations[id];
  return op.methods.map((method) => ({ id, method, op }));
});

describe("Prism mocks openapi.json", () => {
  test.each(requests)("$method $id: its example request is answered by 200 and its example", async (it) => {
    const answer = await send(it.method, it.id, it.op.example.request);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("sl-violations")).toBeNull();
    expect(await answer.json()).toEqual(exampleBody(it.op));
  });

  test("without one warning in its log", async () => {
    // Its log comes after its answers, in their order: the first complaint is that of the last request.
    expect((await fetch(`${prism.url}/nowhere`)).status).toBe(404);
    await expect.poll(prism.complaints).not.toEqual([]);
    expect(prism.complaints()[0]).toContain("NO_PATH_MATCHED");
  });

  test.each(requests.filter(({ op }) => op.auth === "token"))(
    "$method $id: without a token it is answered by the example of 401",
    async ({ id, method, op }) => {
      const answer = await send(method, id, op.example.request, "");
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ meta: { code: "401", error_type: "token_missing" } });
    },
  );

  test.each(requests.filter(({ op }) => "calendar_id" in op.params.shape))(
    "$method $id: with a malformed calendar_id it is answered by the example of 400",
    async ({ id, method, op }) => {
      const answer = await send(method, id, { ...op.example.request, calendar_id: "abc" });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ meta: { code: "400", errors: expect.any(Array) } });
    },
  );
});

function send(
  method: "get" | "post",
  id: ContractId,
  params: Readonly<Record<string, string>>,
  token = "example",
): Promise<Response> {
  const { path, auth }: Operation = operations[id];
  const query = new URLSearchParams(params);
  if (method === "get" && auth === "token" && token !== "") query.set("token", token);
  if (method === "get") return fetch(`${prism.url}${path}?${query.toString()}`);
  const headers = token === "" ? {} : { Authorization: `Bearer ${token}` };
  return fetch(`${prism.url}${path}`, { method: "POST", headers, body: query });
}
