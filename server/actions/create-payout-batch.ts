import type { Party } from '../domain/approvals.ts'
import { lookAgainAt } from '../domain/handshake.ts'
import type { Merchant } from '../domain/merchant.ts'
import { amountText, money } from '../domain/money.ts'
import { isRetryable, type BatchPayout, type PayoutBatch } from '../domain/payout-batch.ts'
import { Refusal } from '../domain/refusal.ts'
import { acceptanceRefusal } from './accept-transaction.ts'
import { IdempotencyKeyTaken, once, type IdempotentAcceptance } from './idempotency.ts'
import type { IdempotencyClaim } from './ports/idempotency.ts'
import type { NewTransaction } from './ports/acceptance.ts'
import type { PayoutBatches } from './ports/payout-batches.ts'
import { preparePayout, type PayoutRequest, type PreparedPayout, type SendFundsDeps } from './send-funds.ts'

/** A row of a batch as it was read: a request, or what is wrong with it. */
export type BatchRow = { readonly line: number } & (
  { readonly request: PayoutRequest; readonly retryOf?: bigint } | { readonly fault: string }
)

export interface BatchRequest {
  readonly reference: string
  readonly rows: readonly BatchRow[]
  /** The batch whose failed payouts it tries again. */
  readonly retryOf?: Pick<PayoutBatch, 'id'>
}

/** Why a row cannot be accepted. */
export interface BatchFault {
  readonly line: number
  readonly message: string
}

/** Refuses a batch whole, with every faulty row. */
export class BatchRefusal extends Refusal {
  readonly faults: readonly BatchFault[]

  constructor(faults: readonly BatchFault[], rows: number) {
    const [first] = faults
    const how = `${faults.length} of ${rows} payouts ${faults.length === 1 ? 'is' : 'are'} faulty`
    super('faulty_batch', `Nothing was accepted: ${how}. Line ${first?.line}: ${first?.message}`)
    this.faults = faults
  }
}

export type CreateBatchDeps = Omit<SendFundsDeps, 'acceptance'> & { readonly batches: PayoutBatches }

/**
 * Accepts a batch of payouts in one commit, or nothing of it. Each payout is one like any other from then on.
 * @throws BatchRefusal with every faulty row; Refusal `duplicate_reference` for the reference of the batch
 */
export const createPayoutBatch = (
  deps: CreateBatchDeps,
  merchant: Merchant,
  request: BatchRequest,
  claim?: IdempotencyClaim,
): Promise<IdempotentAcceptance> =>
  once(deps, claim, async () => {
    const { faults } = await judgeRows(deps, merchant, request, { isTrial: false, claim })
    if (faults.length > 0) throw new BatchRefusal(faults, request.rows.length)
    return { internalReference: '', merchantReference: request.reference, onPaymentPage: false }
  })

/**
 * What accepting a batch would do now; nothing is stored.
 * @returns the payouts that could be accepted if no other were faulty, and the faulty rows
 */
export const checkPayoutBatch = (deps: CreateBatchDeps, merchant: Merchant, request: BatchRequest) =>
  judgeRows(deps, merchant, request, { isTrial: true })

interface Judging {
  readonly isTrial: boolean
  readonly claim?: IdempotencyClaim | undefined
}

async function judgeRows(
  deps: CreateBatchDeps,
  merchant: Merchant,
  { reference, rows, retryOf }: BatchRequest,
  { isTrial, claim }: Judging,
): Promise<{ readonly payouts: readonly NewTransaction[]; readonly faults: readonly BatchFault[] }> {
  const { prepared, faults } = prepareRows(deps, merchant, rows)
  const now = deps.clock.now()
  const judged = withTotals(merchant.batchHandshake === true ? prepared.map(waiting) : prepared)
  const result = await deps.batches.accept(
    {
      merchantId: merchant.id,
      reference,
      createdAt: now,
      finishAt: new Date(now.getTime() + 1),
      rows: judged,
      ...(merchant.batchHandshake && { handshake: 'waiting' as const }),
      ...(retryOf && { retryOf: retryOf.id }),
      ...(claim && { idempotency: claim }),
    },
    isTrial || faults.length > 0,
  )
  if (result === 'idempotency_key_taken') throw new IdempotencyKeyTaken()
  if (result === 'duplicate_batch')
    throw new Refusal('duplicate_reference', `batch_reference (${reference}) has already been used`)
  if (result === 'not_retryable')
    throw new Refusal('duplicate_reference', 'A payout is tried again already, or may have been paid meanwhile')
  const refused = result === 'accepted' ? [] : refusedRows(prepared, result)
  return {
    payouts: judged.map(({ payout }) => payout),
    faults: [...faults, ...refused].sort((a, b) => a.line - b.line),
  }
}

type PreparedRow = PreparedPayout & { readonly line: number; readonly retryOf?: bigint }

function prepareRows(deps: CreateBatchDeps, merchant: Merchant, rows: readonly BatchRow[]) {
  const faults: BatchFault[] = []
  const prepared: PreparedRow[] = []
  const lineOf = new Map<string, number>()
  for (const row of rows) {
    const { line } = row
    if ('fault' in row) {
      faults.push({ line, message: row.fault })
      continue
    }
    const { merchantReference } = row.request
    const other = lineOf.get(merchantReference)
    lineOf.set(merchantReference, other ?? line)
    try {
      if (other !== undefined)
        throw new Refusal('duplicate_reference', `merchant_reference (${merchantReference}) is also in line ${other}`)
      const retryOf = row.retryOf !== undefined && { retryOf: row.retryOf }
      prepared.push({ line, ...retryOf, ...preparePayout(deps, merchant, row.request) })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      faults.push({ line, message: error.message })
    }
  }
  return { prepared, faults }
}

/** What a payout would do by itself waits for the handshake of its batch. */
const waiting = ({ payout, ...row }: PreparedRow): PreparedRow => ({
  ...row,
  payout: { ...payout, firstJob: { ...payout.firstJob, dueAt: lookAgainAt(payout.createdAt) } },
})

/** Rules for approvals count the sum of a currency: an amount that is split over rows evades none. */
function withTotals(rows: readonly PreparedRow[]) {
  const sums = new Map<string, bigint>()
  for (const { payout } of rows) {
    const { currency, amountMinor } = payout.amount
    sums.set(currency, (sums.get(currency) ?? 0n) + amountMinor)
  }
  return rows.map(({ payout, option: _option, ...row }) => {
    const { currency } = payout.amount
    return { ...row, payout: { ...payout, approvedAs: money(sums.get(currency) ?? 0n, currency) } }
  })
}

const refusedRows = (
  rows: readonly PreparedRow[],
  results: Exclude<Awaited<ReturnType<PayoutBatches['accept']>>, string>,
): readonly BatchFault[] =>
  rows.flatMap(({ line, payout, option }, index) => {
    const refusal = acceptanceRefusal(results[index] ?? 'accepted', payout, option)
    return refusal ? [{ line, message: refusal.message }] : []
  })

/**
 * The payouts of a batch that failed, as rows of a new one: the beginning of a reference tells where it comes from. A
 * payout that may have been paid, or was tried again before, is not among them.
 * @param mark ends the references of no other batch
 */
export const failedAgain = (
  payouts: readonly BatchPayout[],
  descriptions: ReadonlyMap<bigint, string>,
  { mark, maker }: { readonly mark: string; readonly maker?: Party },
): readonly BatchRow[] =>
  payouts.filter(isRetryable).map(({ line, payout }) => {
    const { method, providerCode, account, request, customerName = '', bankCode, branchCode } = payout
    return {
      line,
      retryOf: payout.id,
      request: {
        merchantReference: `${payout.merchantReference.slice(0, 22)}-${mark}${line}`,
        method,
        providerCode,
        account,
        currency: request.currency,
        amount: amountText(request.amountMinor, request.currency),
        customerName,
        description: descriptions.get(payout.id) ?? '',
        ...(maker && { maker }),
        ...(bankCode !== undefined && { bankCode }),
        ...(branchCode !== undefined && { branchCode }),
      },
    }
  })
