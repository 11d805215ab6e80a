/** Table width where the terminal reports none: nothing is truncated. */
const UNLIMITED = Number.POSITIVE_INFINITY
const GAP = '  '
const COLUMN_MIN = 8

/** `malipo transaction list | head` closes the pipe early: that is not a failure, and nobody reads the rest. */
export function quietOnBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}

/** Prints a line of the result, on standard output. */
export const print = (text: string): void => void process.stdout.write(`${printableLines(text)}\n`)
/** Prints everything else to standard error, so that the result can be piped. */
export const note = (text: string): void => void process.stderr.write(`${printableLines(text)}\n`)

/** The names of fields, at any depth, that are not in snake_case as those of the API are; `bytes` for bytes. */
type OddNames<T> = 0 extends T & 1 // any
  ? never
  : T extends string | number | bigint | boolean | Date | null | undefined
    ? never
    : T extends Uint8Array
      ? 'bytes'
      : T extends readonly (infer Item)[]
        ? OddNames<Item>
        : {
            [K in keyof T]-?: OddNames<T[K]> | (string extends K ? never : K extends Lowercase<K & string> ? never : K)
          }[keyof T]

/** The names of its fields are like those of the API: bytes and a name in camelCase do not compile. */
type Snake<T> = T & ([OddNames<T>] extends [never] ? unknown : { readonly odd: OddNames<T> })

/** One JSON document: bigint as number (ids and counts, far below 2^53), dates in ISO 8601. */
export const jsonText = <T>(value: Snake<T>): string =>
  printableJson(JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? Number(part) : part), 2))

/** Prints one JSON document. */
export const printJson = <T>(value: Snake<T>): void => print(jsonText(value))

// Names, descriptions and replies come from outside: escape sequences in them must not reach the terminal. These are
// the C0 and C1 controls except the line feed, and the marks that change the direction of text.
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Lines without terminal control characters. */
export const printableLines = (text: string): string => text.replace(UNPRINTABLE, '\ufffd')

/** The text on one line, without terminal control characters. */
export const printable = (text: string): string => printableLines(text.replace(/\s+/g, ' '))

/** The same JSON, with control characters escaped as `\\u202e`: a parser reads the same text from it. */
export const printableJson = (json: string): string =>
  json.replace(UNPRINTABLE, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)

export interface Column<Row> {
  readonly title: string
  readonly of: (row: Row) => string | number | bigint | undefined | null
  /** Numbers are easiest to read when right-aligned. */
  readonly align?: 'right'
  /** May be truncated when the terminal is too narrow; the widest of these columns shrinks first. */
  readonly cut?: true
}

/** Prints rows under titles, columns aligned. No line is wider than the terminal, as far as truncation allows. */
export function printTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[], empty: string): void {
  if (rows.length === 0) return note(empty)
  print(tableText(rows, columns, process.stdout.isTTY ? process.stdout.columns : UNLIMITED))
}

/** Formats rows as a table of at most `widthMax` characters; columns that may be truncated shrink. */
export function tableText<Row>(rows: readonly Row[], columns: readonly Column<Row>[], widthMax: number): string {
  const filled = columns.map(({ title, of, align, cut = false }) => {
    const cells = [title, ...rows.map((row) => printable(String(of(row) ?? '-')))]
    return { cells, align, cut, width: Math.max(...cells.map(widthOf)) }
  })
  fit(filled, widthMax)
  const padded = filled.map(({ cells, width, align }) => cells.map((cell) => pad(cell, width, align)))
  return Array.from({ length: 1 + rows.length }, (_, line) =>
    padded
      .map((cells) => cells[line])
      .join(GAP)
      .trimEnd(),
  ).join('\n')
}

/** Shrinks the widest column that may be truncated, until all columns fit or none can shrink further. */
function fit(columns: readonly { width: number; readonly cut: boolean }[], widthMax: number): void {
  const total = () => columns.reduce((sum, { width }) => sum + width, GAP.length * (columns.length - 1))
  while (total() > widthMax) {
    const [widest] = columns.filter(({ cut }) => cut).sort((a, b) => b.width - a.width)
    if (!widest || widest.width <= COLUMN_MIN) break
    widest.width -= 1
  }
}

const widthOf = (text: string): number => [...text].length

function pad(text: string, width: number, align: 'right' | undefined): string {
  const letters = [...text]
  const cut = letters.length > width ? `${letters.slice(0, width - 1).join('')}…` : text
  return align === 'right' ? cut.padStart(width) : cut.padEnd(width)
}

/** Prints names and values, one per line; skips undefined values. */
export function printFields(
  fields: readonly (readonly [name: string, value: string | number | bigint | undefined | null])[],
): void {
  const present = fields.filter(([, value]) => value !== undefined && value !== null)
  const width = Math.max(...present.map(([name]) => name.length))
  for (const [name, value] of present) print(`${name.padEnd(width)}  ${printable(String(value))}`)
}

/** Time in UTC to the second, as in logs. */
export const shortTime = (at: Date): string =>
  at
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z')
