const CODES = { good: 32, bad: 31, warn: 33, soft: 90, strong: 1 } as const

/** Colours for terminals; files and CI logs get plain text. */
export class Painter {
  readonly #colourful: boolean

  constructor(colourful: boolean) {
    this.#colourful = colourful
  }

  readonly good = (text: string): string => this.#in(CODES.good, text)
  readonly bad = (text: string): string => this.#in(CODES.bad, text)
  readonly warn = (text: string): string => this.#in(CODES.warn, text)
  readonly soft = (text: string): string => this.#in(CODES.soft, text)
  readonly strong = (text: string): string => this.#in(CODES.strong, text)

  /** Colours a status: 2xx good, everything else bad. */
  readonly status = (status: number): string => (status >= 200 && status < 300 ? this.good : this.bad)(String(status))

  #in(code: number, text: string): string {
    return this.#colourful ? `\u001b[${code}m${text}\u001b[0m` : text
  }
}

/** Makes external text safe to print: no control characters, no escape sequences, one line, truncated. */
export function printable(text: string, charactersMax = 200): string {
  // All characters in Unicode's categories control and format: a reply must not control the reader's terminal.
  const line = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '�')
    .trim()
  return line.length > charactersMax ? `${line.slice(0, charactersMax)}…` : line
}
