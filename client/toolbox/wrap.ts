/** Columns of a help text, where the terminal has room for them. */
export const TEXT_COLUMNS = 100

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
