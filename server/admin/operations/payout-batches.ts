import {
  BatchRefusal,
  checkPayoutBatch,
  createPayoutBatch,
  failedAgain,
  type BatchFault,
  type BatchRequest,
  type CreateBatchDeps,
} from '../../actions/create-payout-batch.ts'
import { isCovered } from '../../domain/approvals.ts'
import { merchantSuspended, type Merchant } from '../../domain/merchant.ts'
import { amountToWire, type Currency } from '../../domain/money.ts'
import type { BatchPayout } from '../../domain/payout-batch.ts'
import { present } from '../../domain/present.ts'
import { MERCHANT_REFERENCE, newMerchantReference } from '../../domain/references.ts'
import { Refusal } from '../../domain/refusal.ts'
import { approvalRules } from '../../storage/approvals.ts'
import { createPayoutBatches } from '../../storage/payout-batches.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { descriptionsOf, listPayoutBatches, type BatchView } from '../queries/payout-batches.ts'
import { merchantWallets } from '../queries/wallets.ts'
import { displayValues } from './display-values.ts'
import { merchantNamed } from './merchant-named.ts'
import { OperationRefusal, type Operation, type OperationContext, type PreparedChange } from './operation.ts'
import { readPayoutFile } from './payout-file.ts'
import { partyOf } from './run-operation.ts'

/** It is never stored: a rule covers the payouts, not the file. */
interface FileInput {
  readonly merchant: string
  readonly bytes: Uint8Array
  /** Absent: one that belongs to the content of the file. */
  readonly batch_reference?: string | undefined
}

interface RetryInput {
  readonly merchant: string
  readonly batch: string
}

type AcceptedBatch = { readonly batch_reference: string; readonly payouts: number }

/** What a batch asks for in one currency, in major units. */
interface PreviewTotal {
  readonly currency: Currency
  readonly payouts: number
  readonly amount: number
  readonly charge: number
  /** In the payout wallet now. */
  readonly available: number
  /** Whether it waits for a second person first. */
  readonly waits: boolean
}

export interface BatchPreview {
  readonly batch_reference: string
  readonly payouts: number
  readonly totals: readonly PreviewTotal[]
  readonly faults: readonly BatchFault[]
}

/** Accepts a file of payouts as one batch, or nothing of it. */
export const sendPayoutFile: Operation<FileInput, AcceptedBatch> = {
  name: 'payout batch',
  async prepare(context, input) {
    const { merchant, request } = await batchOf(context, input)
    return accepting(context, merchant, request)
  },
}

/** What sending a file would do now, with every faulty row. */
export async function previewPayoutFile(context: OperationContext, input: FileInput): Promise<BatchPreview> {
  const { merchant, request } = await batchOf(context, input)
  const { payouts, faults } = await checkPayoutBatch(await depsOf(context, context.pool), merchant, request).catch(
    (error: unknown) => {
      throw refusalOf(error) ?? error
    },
  )
  const { pool } = context
  const [wallets, rules] = [
    await merchantWallets(pool, merchant.id),
    await available(() => approvalRules(pool, 'payouts')),
  ]
  const totals = [...Map.groupBy(payouts, ({ amount }) => amount.currency)].map(([currency, alike]): PreviewTotal => {
    const wire = (minor: bigint) => amountToWire(minor, currency)
    const wallet = wallets.find((one) => one.purpose === 'payout' && one.currency === currency)
    return {
      currency,
      payouts: alike.length,
      amount: wire(alike.reduce((sum, { amount }) => sum + amount.amountMinor, 0n)),
      charge: wire(alike.reduce((sum, { chargeMinor }) => sum + chargeMinor, 0n)),
      available: wire(wallet?.available_minor ?? 0n),
      waits: isCovered(rules, { operation: 'payouts', merchantId: merchant.id, amount: alike[0]?.approvedAs }),
    }
  })
  return { batch_reference: request.reference, payouts: request.rows.length, totals, faults }
}

/**
 * Tries the failed payouts of a batch again, as a new batch with new references. What may have been paid is never among
 * them, and nothing is tried again twice.
 */
export const retryPayoutBatch: Operation<RetryInput, AcceptedBatch> = {
  name: 'payout retry',
  async prepare(context, { merchant: name, batch: reference }) {
    const merchant = await payingMerchant(context, name)
    const { batch, payouts } = await payoutBatchNamed(context, name, reference)
    const descriptions = await descriptionsOf(
      context.pool,
      payouts.map(({ payout }) => payout.id),
    )
    // Long and random enough for the references of all batches of a merchant.
    const mark = newMerchantReference(context.random).slice(-6)
    const rows = failedAgain(payouts, descriptions, { mark, maker: partyOf(context.actor) })
    if (rows.length === 0)
      throw new OperationRefusal('conflict', `no payout of ${reference} failed and can be tried again`)
    return accepting(context, merchant, { reference: `${reference.slice(0, 29)}-${mark}`, rows, retryOf: batch })
  },
}

/** Finds a batch of a merchant by its reference, with all of its payouts. @throws OperationRefusal when there is none */
export async function payoutBatchNamed(
  context: Pick<OperationContext, 'actor' | 'mode' | 'pool'>,
  merchant: string,
  reference: string,
): Promise<{ readonly batch: BatchView; readonly payouts: readonly BatchPayout[] }> {
  const { id: merchantId } = await merchantNamed(context, merchant)
  const [batch] = await listPayoutBatches(context.pool, { merchantId, reference, limit: 1 })
  const found = batch && (await createPayoutBatches(context.pool).find(merchantId, reference))
  if (!batch || !found)
    throw new OperationRefusal('not_found', `there is no batch ${reference}`, 'See them all: malipo payout list')
  return { batch, payouts: found.payouts }
}

async function batchOf(context: OperationContext, { merchant: name, bytes, batch_reference: said }: FileInput) {
  const merchant = await payingMerchant(context, name)
  const { reference } = await context.settling()
  const file = readPayoutFile(bytes, { reference, maker: partyOf(context.actor) })
  if (said !== undefined && !MERCHANT_REFERENCE.pattern.test(said))
    throw new OperationRefusal('invalid', `batch_reference ${MERCHANT_REFERENCE.message}`)
  return { merchant, request: { reference: said ?? file.reference, rows: file.rows } satisfies BatchRequest }
}

async function payingMerchant(context: OperationContext, name: string): Promise<Merchant> {
  const { id } = await merchantNamed(context, name)
  const { reference } = await context.settling()
  const merchant = present(await reference.merchantById(id), 'a merchant that was found')
  if (merchant.suspendedAt) throw new OperationRefusal('conflict', merchantSuspended().message)
  return merchant
}

/** @param pool of the change, or of a preview */
const depsOf = async (context: OperationContext, pool: Pool): Promise<CreateBatchDeps> => ({
  reference: (await context.settling()).reference,
  // Whoever sends the same request again gets its outcome by the audit of the operation.
  idempotency: { find: async () => undefined },
  clock: context.clock,
  random: context.random,
  dailyLimitShare: context.dailyLimitShare,
  batches: createPayoutBatches(pool),
})

function accepting(
  context: OperationContext,
  merchant: Merchant,
  request: BatchRequest,
): PreparedChange<AcceptedBatch> {
  const payouts = request.rows.length
  return {
    subject: request.reference,
    merchantId: merchant.id,
    read: async (_pool, accepted) => displayValues(accepted ? { payouts } : {}),
    async apply(pool) {
      await createPayoutBatch(await depsOf(context, pool), merchant, request)
      return { batch_reference: request.reference, payouts }
    },
    refusalOf,
  }
}

function refusalOf(error: unknown): OperationRefusal | undefined {
  if (error instanceof BatchRefusal) return new OperationRefusal('conflict', error.message)
  return error instanceof Refusal ? new OperationRefusal('conflict', error.message) : undefined
}
