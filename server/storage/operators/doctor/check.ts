/** What a check of the doctor came to. */
export interface Finding {
  readonly name: string
  readonly rule: string
  /** How many break the rule. */
  readonly found: number
  /** The first of them. */
  readonly examples: readonly string[]
}

/** As many of them are named. */
export const EXAMPLES_MAX = 5

/** What must always be true. Selects what breaks its rule, as text for a person. */
export interface Check {
  readonly name: string
  /** What is true when nothing is found. */
  readonly rule: string
  readonly sql: string
  /**
   * What it reads when the doctor looks at what has changed: `changed` is about single payments and transfers and reads
   * only theirs, `all` reads whole tables, and so none of the history without an index.
   */
  readonly scope: 'changed' | 'all'
  /** The same rule then, where `sql` would go through the history. */
  readonly sqlOfChanged?: string
  /** Counts what is older than the rule, and so not held to it. */
  readonly sqlOfBefore?: string
  readonly values?: (now: Date) => readonly unknown[]
}

/** Names a row `a` of accounts. */
export const ACCOUNT = `a.kind || ' ' || a.currency
  || case when a.merchant_id = 0 then '' else ' of merchant ' || a.merchant_id end
  || case when a.provider_code = '' then '' else ' of ' || a.provider_code end
  || case when a.installation = '' then '' else ' at ' || a.installation end`
/** Names a row `t` of transactions. */
export const TRANSACTION = `'transaction ' || t.id || ' (' || t.merchant_reference || ', ' || t.status || ')'`

/** A moment for a person. @param moment an expression of SQL */
export const shown = (moment: string): string => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')`
