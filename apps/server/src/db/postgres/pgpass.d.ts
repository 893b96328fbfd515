/** The package publishes no types. */
declare module "pgpass" {
  /** Looks up the password of a connection in the file of PGPASSFILE, or in ~/.pgpass; undefined where none has one. */
  export default function pgpass(
    connection: {
      readonly host: string;
      readonly port: number;
      readonly database?: string | undefined;
      readonly user?: string | undefined;
    },
    found: (password: string | undefined) => void,
  ): void;
}
