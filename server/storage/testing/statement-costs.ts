import type pg from 'pg'
import { present } from '../../domain/present.ts'
import type { Pool } from '../pool.ts'

/** What a statement costs, without time: what PostgreSQL counts while it executes the plan. */
export interface StatementCost {
  /** Pages read or written, with repetitions. */
  readonly buffers: number
  /** Rows that nodes of the plan read or compare, the discarded ones included. */
  readonly rows: number
  /**
   * Elements of arrays that conditions go through. Under `x.id = r.id and x.id = any($2)`, a nested loop sorts the
   * whole array again for each row: that costs neither pages nor rows.
   */
  readonly elements: number
}

export interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly 'Index Cond'?: string
  readonly Filter?: string
  readonly Plans?: readonly PlanNode[]
}

// A bitmap heap scan counts what its index scans found.
const SCANS = /(?<!^Bitmap Index) Scan$/
// The planner hashes an array that it knows; one that is a parameter is searched from its first element.
const PARAMETER_ARRAY = /= ANY \(\$/g
const ANY_ARRAY = /= ANY \(/g

function costOf(node: PlanNode, arrayLength: number): StatementCost {
  const loops = node['Actual Loops']
  const discarded = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const read = SCANS.test(node['Node Type']) ? (node['Actual Rows'] + discarded) * loops : 0
  const compared = (node['Rows Removed by Join Filter'] ?? 0) * loops
  const inConditions = (node['Index Cond']?.match(ANY_ARRAY)?.length ?? 0) * loops
  const inFilters = (node.Filter?.match(PARAMETER_ARRAY)?.length ?? 0) * read
  const below = (node.Plans ?? []).map((one) => costOf(one, arrayLength))
  return {
    // Those of the nodes below are part of it.
    buffers: (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0),
    rows: below.reduce((sum, { rows }) => sum + rows, read + compared),
    elements: below.reduce((sum, { elements }) => sum + elements, (inConditions + inFilters) * arrayLength),
  }
}

/** How PostgreSQL plans a prepared statement: with its values, or once for all values. */
export type PlanCacheMode = 'force_custom_plan' | 'force_generic_plan'

interface Explained {
  readonly name: string
  readonly cost: Promise<StatementCost>
}

/**
 * Explains each statement of a pool with one connection before it runs, and takes the effects back.
 * @returns costs of the statements of an action, by name; of one that ran several times the sum
 */
export function watchCosts(
  pool: Pool,
): (mode: PlanCacheMode, action: () => Promise<unknown>) => Promise<ReadonlyMap<string, StatementCost>> {
  let explained: Explained[] = []
  let isExplaining = false
  watchStatements(pool, () => {
    const costOfStatement = explainer()
    return (statement) => {
      const name = statement.name ?? statement.text.replaceAll(/\s+/g, ' ').trim().slice(0, 40)
      if (isExplaining) explained.push({ name, cost: costOfStatement(statement) })
    }
  })
  return async (mode, action) => {
    await pool.query(`set plan_cache_mode = ${mode}`)
    explained = []
    isExplaining = true
    await action().finally(() => {
      isExplaining = false
    })
    const costs = new Map<string, StatementCost>()
    for (const { name, cost } of explained) costs.set(name, sumOf(costs.get(name), await cost))
    return costs
  }
}

const sumOf = (one: StatementCost | undefined, other: StatementCost): StatementCost => ({
  buffers: other.buffers + (one?.buffers ?? 0),
  rows: other.rows + (one?.rows ?? 0),
  elements: other.elements + (one?.elements ?? 0),
})

type RunQuery = (...given: unknown[]) => Promise<pg.QueryResult<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>>

interface SentStatement {
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly unknown[]
  /** Runs queries on its connection before it, and takes their effects back. */
  readonly before: <Result>(queries: (run: RunQuery) => Result) => Result
}

/** Calls back with each statement of a pool before it runs. @param watchConnection called for each connection */
export function watchStatements(pool: Pool, watchConnection: () => (statement: SentStatement) => void): void {
  pool.on('connect', (client) => {
    const watch = watchConnection()
    const runQuery: RunQuery = client.query.bind(client)
    let isInside = false
    const before: SentStatement['before'] = (queries) => {
      void runQuery(isInside ? 'savepoint explained' : 'begin')
      const result = queries(runQuery)
      void runQuery(isInside ? 'rollback to savepoint explained' : 'rollback')
      return result
    }
    const watched = (...given: unknown[]) => {
      const config = given[0] as string | pg.QueryConfig
      const {
        name,
        text,
        values = given[1],
      } = typeof config === 'string' ? ({ text: config } as pg.QueryConfig) : config
      if (/^(begin|commit|rollback)/.test(text)) isInside = text.startsWith('begin')
      else if (/^\s*(select|insert|update|delete|with)\b/.test(text))
        watch({ name, text, values: Array.isArray(values) ? values : [], before })
      return runQuery(...given)
    }
    Object.assign(client, { query: watched })
  })
}

/** The cost of each statement of one connection. */
function explainer(): (statement: SentStatement) => Promise<StatementCost> {
  const prepared = new Map<string, string>()
  return async ({ text, values, before }) => {
    const { rows } = await before((run) => {
      // Prepared as the driver prepares it: explained with parameters, a statement would always get a custom plan.
      const as = prepared.get(text) ?? `explained_${prepared.size}`
      if (!prepared.has(text)) void run(`prepare ${as} as ${text}`)
      prepared.set(text, as)
      const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : ''
      return run(`explain (analyze, buffers, format json) execute ${as}${given}`)
    })
    return costOf(present(rows[0], 'a plan')['QUERY PLAN'][0].Plan, Math.max(...values.map(lengthOf)))
  }
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 1)

/** The value as SQL: `execute` takes no parameters. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return `'${textOf(value).replaceAll("'", "''")}'`
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (!Array.isArray(value)) return String(value)
  const elements = value.map((one: unknown) =>
    one === null || one === undefined ? 'null' : `"${textOf(one).replaceAll(/["\\]/g, '\\$&')}"`,
  )
  return `{${elements.join(',')}}`
}
