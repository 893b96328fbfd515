import type { Request } from "express";

/** Scheme and host of the service as the caller reaches it, such as https://calendars.example.com: without a slash at the end. */
export function baseUrlOf(req: Request, publicUrl: string | undefined): string {
  return publicUrl ?? `${req.protocol}://${hostOf(req)}`;
}

/** Whether people reach the service over TLS, so that browsers may require it (HSTS). */
export function isHttps(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith("https:") === true;
}

/** Returns the raw header by which browsers use TLS alone from now on, as helmet sets it; none where people reach the service without. */
export function overTls(publicUrl: string | undefined): readonly string[] {
  return isHttps(publicUrl) ? ["Strict-Transport-Security", "max-age=31536000; includeSubDomains"] : [];
}

/** The host that was asked. HTTP/1.0 may leave Host out: then the address that the connection came to. */
function hostOf(req: Request): string {
  if (req.headers.host !== undefined) return req.host;
  const { localAddress = "127.0.0.1", localPort = 0 } = req.socket;
  return `${localAddress.includes(":") ? `[${localAddress}]` : localAddress}:${localPort}`;
}
