/** An error of PostgreSQL with an SQLSTATE of class 21, 23 or 25: a bug of ours, never an unavailable database. */
export class Violation extends Error {
  readonly code: string

  constructor(code: '21000' | '23505' | '23514' | '25P02', message: string) {
    super(message)
    this.name = 'Violation'
    this.code = code
  }
}

/** The error of PostgreSQL for a violated unique key. */
export const duplicate = (what: string): Violation => new Violation('23505', `duplicate key: ${what}`)
/** The error of PostgreSQL for a violated check. */
export const refused = (what: string): Violation => new Violation('23514', `check violated: ${what}`)
