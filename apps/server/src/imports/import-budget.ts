import { budgets } from "../http/limits.js";

/** Why an import is refused whose rows would be more than one may store. The text is for the owner of the file. */
export class ImportTooLarge extends Error {}

/** What an import stores, counted before anything is stored. */
export interface Spending {
  /** @throws ImportTooLarge */
  add(rows: number, bytes: number): void;
}

/** Returns what counts rows and the bytes of their texts, messages to webhooks included. */
export function createSpending({ rowsWritten, bytesWritten } = budgets.import): Spending {
  let [rows, bytes] = [0, 0];
  return {
    add: (moreRows, moreBytes) => {
      rows += moreRows;
      bytes += moreBytes;
      if (bytes > bytesWritten)
        throw new ImportTooLarge(
          `Its events would store more than ${Math.round(bytesWritten / 1_048_576)} MiB, since each date of a series has all its texts: divide the file, or shorten its texts`,
        );
      if (rows > rowsWritten)
        throw new ImportTooLarge(
          `Its events would store more than ${rowsWritten} rows, categories, names of custom_data and messages to webhooks counted: divide the file`,
        );
    },
  };
}
