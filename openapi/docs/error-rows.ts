/** A row of the page "Errors": the cause of a message and what to do about it, as Markdown. */
export interface ErrorRow {
  readonly section: string
  readonly code: number
  readonly message: string
  /** The cause, and what to do. */
  readonly texts: readonly string[]
}

/** The rows that name a message. Their code is in the row or in the heading above. */
export const errorRowsIn = (markdown: string): ErrorRow[] =>
  markdown
    // Its tables may be aligned with spaces.
    .replaceAll(/ +/g, ' ')
    .split(/^## /m)
    .slice(1)
    .flatMap((text) => {
      const [section = ''] = text.split('\n')
      const ofSection = /\((\d{3})\)$/.exec(section)?.[1]
      return [...text.matchAll(/^\| (?:(\d{3}) +\| )?`([^|`]+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(
        ([, code, message = '', ...texts]) => ({ section, code: Number(code ?? ofSection), message, texts }),
      )
    })
