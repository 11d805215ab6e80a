import { csvLines, type CsvCell } from '../../domain/csv.ts'
import { usedWrongly } from './errors.ts'
import { printableLines } from './output.ts'

/** How a list is printed, if not for people. */
export interface OutputOptions {
  readonly json?: true
  readonly csv?: true
}

/** @throws CliError */
export function refuseBoth({ json, csv }: OutputOptions): void {
  if (json && csv) throw usedWrongly('malipo: set either --json or --csv')
}

export type CsvPage = readonly (readonly CsvCell[])[]

/**
 * Prints a CSV file of any length, page by page: the next one is read when the one before is written. Ends early when
 * nobody reads any more (`| head`).
 */
export async function printCsv(
  titles: readonly string[],
  pages: AsyncIterable<CsvPage> | Iterable<CsvPage>,
): Promise<void> {
  await write([titles])
  for await (const page of pages) {
    if (process.stdout.destroyed || process.stdout.errored) return
    await write(page)
  }
}

async function write(page: CsvPage): Promise<void> {
  const text = csvLines(page)
  // A file keeps every character; a terminal must not execute any.
  if (process.stdout.write(process.stdout.isTTY ? printableLines(text.replaceAll('\r\n', '\n')) : text)) return
  await new Promise<void>((resolve) => {
    const done = (): void => {
      process.stdout.off('drain', done).off('close', done)
      resolve()
    }
    process.stdout.on('drain', done).on('close', done)
  })
}
