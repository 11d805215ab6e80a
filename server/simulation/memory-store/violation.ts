/** What PostgreSQL refuses with an SQLSTATE of class 21, 23 or 25: a fault of ours, never the database being away. */
export class Violation extends Error {
  readonly code: string

  constructor(code: '21000' | '23505' | '23514' | '25P02', message: string) {
    super(message)
    this.name = 'Violation'
    this.code = code
  }
}

/** As PostgreSQL refuses what a unique key forbids. */
export const duplicate = (what: string): Violation => new Violation('23505', `duplicate key: ${what}`)
/** As PostgreSQL refuses what a check forbids. */
export const refused = (what: string): Violation => new Violation('23514', `check violated: ${what}`)
