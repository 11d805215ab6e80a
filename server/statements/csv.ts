import { pipeline, Readable } from 'node:stream'
import { CsvError, parse, type Info } from 'csv-parse'
import { DELIMITERS, type StatementFormat } from './format.ts'
import { isHeader, RowFault, rowReader, type RowReader } from './csv-row.ts'
import { followed, UnreadableStatement, type Reading } from './reading.ts'

/** Operators put names, periods and totals above the header; more than this is another file. */
const LINES_BEFORE_HEADER_MAX = 50
const ROW_BYTES_MAX = 64 * 1024
/** Where the separator is looked for. */
const SAMPLE_LENGTH = 16 * 1024

interface Row {
  readonly record: readonly string[]
  readonly info: Info
}

/**
 * Reads a statement in CSV (RFC 4180, with the separators that offices use), a row at a time: however long it is, a few
 * rows are in memory.
 * @throws UnreadableStatement where no header is found, or quotes do not end
 */
export async function* readCsv(text: AsyncIterable<string>, format: StatementFormat): AsyncGenerator<Reading> {
  const { rows, first } = await begin(text, format)
  let read: RowReader | undefined
  let before = 0
  try {
    for await (const { record, info } of rows) {
      if (read) {
        yield readingOf(read, record, info.lines)
      } else if (isHeader(record, format.columns)) {
        read = rowReader(record, format)
      } else if ((before += 1) >= LINES_BEFORE_HEADER_MAX) {
        break
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new UnreadableStatement(faultOfCsv(error), Number(error['lines']) || undefined, error)
  }
  if (!read) throw new UnreadableStatement(withoutHeader(format, first))
}

function readingOf(read: RowReader, record: readonly string[], lineNumber: number): Reading {
  try {
    const line = read(record)
    return line ? { got: 'line', lineNumber, line } : { got: 'passed_over', lineNumber, reason: 'that moved no money' }
  } catch (error) {
    if (error instanceof RowFault) return { got: 'fault', lineNumber, fault: error.message }
    throw error
  }
}

const faultOfCsv = ({ code }: CsvError): string => {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'has quotes that do not end'
  if (code === 'CSV_MAX_RECORD_SIZE') return `is longer than ${ROW_BYTES_MAX / 1024} KiB: quotes may not end`
  return 'has quotes in a place where none can be'
}

const withoutHeader = ({ columns }: StatementFormat, first: string): string =>
  `none of its first ${LINES_BEFORE_HEADER_MAX} lines has the columns ${Object.values(columns)
    .map((title) => `"${title}"`)
    .join(', ')} (statement_columns); it begins with: ${first.slice(0, 200).replaceAll(/\d{5,}/g, '…')}`

/** Rows as they come; an error of the source or of the parser ends them. */
async function begin(text: AsyncIterable<string>, format: StatementFormat) {
  const parts = text[Symbol.asyncIterator]()
  let sample = ''
  while (sample.length < SAMPLE_LENGTH) {
    const next = await parts.next()
    if (next.done) break
    sample += next.value
  }
  const delimiter = DELIMITERS[format.delimiter] ?? likelyDelimiter(sample, format)
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: ROW_BYTES_MAX,
  })
  // What ends the source ends the parser, and whoever reads the rows hears of it there.
  pipeline(Readable.from(followed(sample, parts), { objectMode: false }), parser, () => undefined)
  return { rows: parser as AsyncIterable<Row>, first: sample.split(/\r?\n/, 1)[0] ?? '' }
}

/** The one that stands most often beside the titles that the map names. */
function likelyDelimiter(sample: string, { columns }: StatementFormat): string {
  const titles = Object.values(columns).map((title) => title.toLowerCase())
  const header =
    sample.split(/\r?\n/).find((line) => titles.every((title) => line.toLowerCase().includes(title))) ?? sample
  const count = (delimiter: string): number => header.split(delimiter).length
  const [best = ','] = [',', ';', '\t', '|'].toSorted((one, other) => count(other) - count(one))
  return best
}
