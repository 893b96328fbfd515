// Parameters and responses of operations by path, from the OpenAPI document of the extensions (schema.d.ts).
import type { paths } from "./schema.js";

type Below<P> = P extends `/api/kalends/v1/${infer Path}` ? Path : never;
type Path = Below<keyof paths>;
type At<P extends Path> = paths[`/api/kalends/v1/${P}`];
type Json<Body> = { content: { "application/json": Body } };

export type Read<P extends Path> =
  At<P> extends { get: { responses: { 200: Json<infer Body> } } } ? Body : never;
export type Written<P extends Path> =
  At<P> extends { post: { responses: { 200: Json<infer Body> } } } ? Body : never;
export type Query<P extends Path> =
  At<P> extends { get: { parameters: { query?: infer Q } } } ? NonNullable<Q> : never;
export type Form<P extends Path> = At<P> extends { post: { requestBody: Json<infer Body> } } ? Body : never;
/** A type for an interface to extend. */
export type Shape<T> = T;
export type FirstPage = {
  /** Page to start with, from 1; the first when not given. */
  readonly page?: number | string;
};
