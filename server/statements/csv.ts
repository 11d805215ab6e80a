import { pipeline, Readable } from 'node:stream'
import { CsvError, parse, type Info } from 'csv-parse'
import { maskText } from '../domain/masking/mask-text.ts'
import { checkedByBalance, type BalancedRow } from './balance.ts'
import { isHeader, rowReader, type RowReader } from './csv-row.ts'
import { DELIMITERS, neededTitles, type StatementFormat } from './format.ts'
import { followed, UnreadableStatement, withoutNumbers, type StatementReading } from './reading.ts'

/** Operators put names, periods and totals above the header; a file with more rows before it is not a statement. */
const LINES_BEFORE_HEADER_MAX = 50
const ROW_BYTES_MAX = 64 * 1024
/** The length of the sample for detecting the separator. */
const SAMPLE_LENGTH = 16 * 1024

interface Row {
  readonly record: readonly string[]
  readonly info: Info
}

/**
 * Reads a CSV statement (RFC 4180, with the separators that office programs use) row by row: it holds only a few rows
 * in memory, however long the file is.
 * @throws UnreadableStatement where no header is found, or a quote is not closed
 */
export async function* readCsv(text: AsyncIterable<string>, format: StatementFormat): AsyncGenerator<StatementReading> {
  yield* checkedByBalance(rowsOf(text, format), format)
}

async function* rowsOf(text: AsyncIterable<string>, format: StatementFormat): AsyncGenerator<BalancedRow> {
  const { rows, first } = await begin(text, format)
  let read: RowReader | undefined
  let before = 0
  try {
    for await (const { record, info } of rows) {
      if (read) {
        yield read(record, info.lines)
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

const faultOfCsv = ({ code }: CsvError): string => {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'has quotes that do not end'
  if (code === 'CSV_MAX_RECORD_SIZE') return `is longer than ${ROW_BYTES_MAX / 1024} KiB: quotes may not end`
  return 'has quotes in a place where none can be'
}

const withoutHeader = ({ columns }: StatementFormat, first: string): string =>
  `none of its first ${LINES_BEFORE_HEADER_MAX} lines has the columns ${neededTitles(columns)
    .map((title) => `"${title}"`)
    .join(', ')} (statement_columns); it begins with: ${withoutNumbers(maskText(first, 200))}`

/** Streams the rows; an error of the source or of the parser ends the stream. */
async function begin(text: AsyncIterable<string>, format: StatementFormat) {
  const parts = text[Symbol.asyncIterator]()
  let sample = ''
  while (sample.length < SAMPLE_LENGTH) {
    const next = await parts.next()
    if (next.done) break
    sample += next.value
  }
  const delimiter = declaredDelimiter(sample) ?? DELIMITERS[format.delimiter] ?? likelyDelimiter(sample, format)
  const parser = parse({
    delimiter,
    // Accepts all of them: a file that went through several programs mixes them.
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: ROW_BYTES_MAX,
  })
  // An error of the source destroys the parser, and the reader of the rows gets the error there.
  pipeline(Readable.from(followed(sample, parts), { objectMode: false }), parser, () => undefined)
  return { rows: parser as AsyncIterable<Row>, first: sample.split(LINE_END, 1)[0] ?? '' }
}

const LINE_END = /\r\n|\n|\r/

/** `sep=;` in the first line: spreadsheets write it, and use it when they open the file. */
const declaredDelimiter = (sample: string): string | undefined => /^\s*"?sep=(.)"?[\r\n]/i.exec(sample)?.[1]

/** The delimiter that occurs most often in the line with the configured titles. */
function likelyDelimiter(sample: string, { columns }: StatementFormat): string {
  const titles = neededTitles(columns).map((title) => title.toLowerCase())
  const header =
    sample.split(LINE_END).find((line) => titles.every((title) => line.toLowerCase().includes(title))) ?? sample
  const count = (delimiter: string): number => header.split(delimiter).length
  const [best = ','] = [',', ';', '\t', '|'].toSorted((one, other) => count(other) - count(one))
  return best
}
