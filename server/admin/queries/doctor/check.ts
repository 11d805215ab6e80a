/** The result of a check. */
export interface Finding {
  readonly name: string
  readonly rule: string
  /** How many rows break the rule. */
  readonly found: number
  /** The first of them. */
  readonly examples: readonly string[]
}

/** At most this many examples are named. */
export const EXAMPLES_MAX = 5

/** An invariant. The query selects what breaks the rule, as text for a person. */
export interface Check {
  readonly name: string
  /** What holds when nothing is found. */
  readonly rule: string
  readonly sql: string
  /**
   * What an incremental run reads: `changed` checks single payments and transfers and reads only the changed ones.
   * `all` reads whole tables, and so must not read any history without an index.
   */
  readonly scope: 'changed' | 'all'
  /** The same rule for an incremental run, where `sql` would read the whole history. */
  readonly sqlOfChanged?: string
  readonly values?: (now: Date) => readonly unknown[]
}

/** Describes a row `a` of accounts. */
export const ACCOUNT = `a.kind || ' ' || a.currency
  || case when a.merchant_id = 0 then '' else ' of merchant ' || a.merchant_id end
  || case when a.provider_code = '' then '' else ' of ' || a.provider_code end
  || case when a.rail_account = '' then '' else ' at ' || a.rail_account end`
/** Describes a row `t` of transactions. */
export const TRANSACTION = `'transaction ' || t.id || ' (' || t.merchant_reference || ', ' || t.status || ')'`

/** What a row `t` of transactions holds in `transaction_references` (`claimedReference`). */
export const CLAIMED_REFERENCE = `case t.type when 'REFUND' then 'refund:' when 'RETURN' then 'return:' else '' end || t.merchant_reference`
/** As what it counts in `limit_usage`. */
export const LIMITED_TYPE = `case t.type when 'ATTEMPT' then 'COLLECTION' else t.type end`

/** Formats a time for a person. @param moment an SQL expression */
export const shown = (moment: string): string => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')`
