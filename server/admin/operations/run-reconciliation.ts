import { reconcile, type Reconciliation } from '../../actions/reconcile.ts'
import { withDefaults } from '../../rails/settings.ts'
import { auditedStore } from '../../storage/store.ts'
import { beginRun } from '../queries/audit-log.ts'
import { claimRequest, findOutcome, releaseClaim, storeOutcome, type RequestClaim } from '../queries/admin-requests.ts'
import { listImports, listStated } from '../queries/statements/import.ts'
import { BY_HAND } from '../queries/statements/known-lines.ts'
import { createStatements } from '../queries/statements/statements.ts'
import { OperationRefusal, type OperationContext } from './operation.ts'
import { railAccountNamed, type NamedRailAccount } from './rail-account-named.ts'
import { keyUsed } from './run-operation.ts'

interface RunRequest {
  readonly railAccount: string
  /** The statements are complete up to then; absent: up to their last line. */
  readonly until?: Date | undefined
  readonly reason?: string | undefined
  /** Makes the second of two equal requests return the outcome of the first. */
  readonly claim?: RequestClaim | undefined
}

/** What a run has found, as JSON: it is stored for whoever sends the same request again. */
export type ReconciliationRun = {
  readonly currency: string
  readonly complete_from: string
  readonly complete_until: string
  readonly settled_lines: number
  readonly waiting_lines: number
  readonly completed_orders: number
  readonly fees_minor: string
  readonly opened: number
  readonly ended: number
}

/**
 * Compares a rail account's statements with the ledger, in many commits. Repeating it changes nothing.
 * @throws OperationRefusal, ActorRefused
 */
export async function runReconciliation(
  context: OperationContext,
  { railAccount: name, until, reason, claim }: RunRequest,
): Promise<ReconciliationRun> {
  const { actor, pool, clock, requestId } = context
  const named = await railAccountNamed(context, name)
  if (!(await listStated(pool)).includes(name)) throw await nothingStated(context, name)
  const action = { actor, command: NAME, subject: name, reason, requestId }
  const values = { 'statements complete until': until?.toISOString() ?? 'their last line' }
  const now = clock.now()
  const audited = await beginRun(pool, action, values, now, async (began) => {
    if (claim && !(await claimRequest(began, claim, NAME, now)))
      throw new OperationRefusal('conflict', 'it runs already')
  })
  try {
    const statements = createStatements(audited, requestOf(named, until), namesOf(named), clock)
    const result = await reconcile({ ...(await context.settling()), store: auditedStore(audited) }, statements)
    if (!result) throw await nothingStated(context, name)
    const run = recordOf(named.railAccount.currency, result)
    if (claim) await storeOutcome(audited, claim, run)
    return run
  } catch (error) {
    // Whoever repeats the request begins anew.
    if (claim) await releaseClaim(audited, claim)
    throw error
  }
}

const NAME = 'reconcile run'

/** The run of the same request, if it was sent before. @throws OperationRefusal if its key had another request */
export async function earlierRun(
  { pool }: Pick<OperationContext, 'pool'>,
  claim: RequestClaim,
): Promise<ReconciliationRun | 'running' | undefined> {
  const found = await findOutcome(pool, claim)
  if (!found) return undefined
  if (found.operation !== NAME || found.digest !== claim.digest) throw keyUsed()
  return (found.outcome as ReconciliationRun | null) ?? 'running'
}

const recordOf = (currency: string, result: Reconciliation): ReconciliationRun => ({
  currency,
  complete_from: result.from.toISOString(),
  complete_until: result.until.toISOString(),
  settled_lines: result.settledLines,
  waiting_lines: Number(result.waitingLines),
  completed_orders: result.completedOrders,
  fees_minor: String(result.feesMinor),
  opened: result.opened,
  ended: result.ended,
})

function requestOf({ railAccount: { name, currency, settings }, kind }: NamedRailAccount, until: Date | undefined) {
  const windowMs = Number(withDefaults(kind, settings)['statement_window_hours']) * 3_600_000
  return { railAccount: name, currency, windowMs, until }
}

function namesOf({ kind: { statement } }: NamedRailAccount) {
  const receiptName = (type: 'COLLECTION' | 'PAYOUT') => statement?.receiptName(type) ?? 'receipt'
  return {
    receipt: { COLLECTION: receiptName('COLLECTION'), PAYOUT: receiptName('PAYOUT') },
    ...(statement?.ourReference && { ourReference: statement.ourReference }),
  }
}

const SEARCHED_MAX = 1_000

/** Nothing was imported, or only statements without lines: such a statement does not say how far it reaches. */
async function nothingStated({ pool }: Pick<OperationContext, 'pool'>, railAccount: string): Promise<OperationRefusal> {
  const imports = await listImports(pool, { railAccount, limit: SEARCHED_MAX })
  const last = imports.find(({ form }) => form !== BY_HAND)
  const pulled = `malipo statement pull ${railAccount} --since 24h`
  const how = `malipo statement import ${railAccount} <file>`
  if (!last)
    return new OperationRefusal(
      'not_found',
      `there is no statement of ${railAccount} yet`,
      `Import one: ${how}\nOr pull it: ${pulled}`,
    )
  const found =
    last.form === 'pull'
      ? `was pulled from ${last.name}, and nothing was found`
      : `was imported at ${last.imported_at.toISOString()} (${last.name}), and has no line${passedOverText(last.passed_over)}`
  return new OperationRefusal(
    'not_found',
    `the statement of ${railAccount} ${found}: there is nothing to compare`,
    `Once there is more: ${how}\nOr pull it: ${pulled}`,
  )
}

const passedOverText = (count: bigint): string =>
  count === 0n ? '' : ` that moved money (${count} ${count === 1n ? 'entry' : 'entries'} passed over)`
