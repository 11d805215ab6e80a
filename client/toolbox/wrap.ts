/** Columns of a help text, where the terminal has room for them. */
const TEXT_COLUMNS = 100

/** How wide a help text is. @param terminalColumns absent where nobody looks on */
export const columnsFor = (terminalColumns: number = TEXT_COLUMNS): number => Math.min(terminalColumns, TEXT_COLUMNS)

/**
 * A text in lines of so many columns, broken between words; a word that is longer stands alone. Spaces within a line
 * stay: they may be the gap between two columns.
 *
 * @param indent what further lines begin with
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

/** A line to be copied, in lines that a shell puts together again. */
export const wrapCommand = (text: string, columns: number, indent: string): string =>
  wrap(text, columns - ' \\'.length, indent).replaceAll('\n', ' \\\n')
