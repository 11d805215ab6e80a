/** Columns of a help text, if the terminal is wide enough. */
const TEXT_COLUMNS = 100

/**
 * The width of a help text.
 * @param terminalColumns absent without a terminal
 */
export const columnsFor = (terminalColumns: number = TEXT_COLUMNS): number => Math.min(terminalColumns, TEXT_COLUMNS)

/**
 * Wraps a text between words into lines of this many columns; a longer word has a line of its own. Spaces within a
 * line stay: they may be the gap between two columns.
 *
 * @param indent the prefix of further lines
 */
export function wrap(text: string, columns: number, indent = ''): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.match(/ *[^ ]+/g) ?? []) {
    if (line.trim() !== '' && line.length + word.length > columns) {
      lines.push(line)
      line = indent + word.trimStart()
    } else line += word
  }
  return [...lines, line].join('\n')
}

/** A command to copy, as lines that a shell joins again. */
export const wrapCommand = (text: string, columns: number, indent: string): string =>
  wrap(text, columns - ' \\'.length, indent).replaceAll('\n', ' \\\n')
