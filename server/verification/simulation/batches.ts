import { createPayoutBatch, failedAgain, type BatchRow } from '../../actions/create-payout-batch.ts'
import { Refusal } from '../../domain/refusal.ts'
import { isFinal } from '../../domain/transaction.ts'
import { cancels } from './cancellations.ts'
import type { SimulatedGateway } from './gateway.ts'
import { isUnknown } from './process.ts'
import { PHONE_PROVIDER } from './reference.ts'
import type { SentRequest } from './requests.ts'
import { HOUR, MINUTE, SECOND } from './spans.ts'
import { AGAIN_MS, TRIES_MAX, type Stage } from './stage.ts'

/** A merchant's knowledge of a batch that it sent. */
export interface SentBatch {
  readonly merchantId: bigint
  readonly reference: string
  readonly payouts: readonly string[]
  /** `unknown`: no reply ever arrived, so the batch may or may not exist. */
  outcome: 'accepted' | 'refused' | 'unknown'
}

const ROWS_MAX = 4

/** A merchant sends a batch, perhaps twice at once, and later tries again what failed. */
export async function batches(stage: Stage, sent: SentBatch[], cancelled: Set<string>): Promise<void> {
  const { choices, gateway } = stage
  const { callingCode, prefix, currency } = gateway.reference.market
  const merchantId = choices.of(1n, 2n)
  await gateway.scheduler.sleep(choices.of(0, 5 * SECOND, MINUTE))
  const rows = Array.from({ length: 1 + choices.among(ROWS_MAX) }, (_, index): BatchRow => {
    // Now and then the reference of the first row again.
    const own = choices.rarely(0.15) === 1 ? 0 : index
    return {
      line: index + 1,
      request: {
        merchantReference: `BATCH-ROW-${own}`,
        method: 'MOBILE_MONEY',
        currency,
        amount: choices.of(400, 1_000, 2_000),
        providerCode: PHONE_PROVIDER,
        account: `${callingCode}${prefix}200000${choices.among(3)}`,
        customerName: 'Amina Nakato',
        description: 'a payout of a batch',
      },
    }
  })
  const batch = newBatch(merchantId, 'BATCH-0001', rows)
  sent.push(batch)
  const send = () => sendUntilKnown(stage, batch, rows)
  await Promise.all(choices.rarely(0.3) === 1 ? [send(), send()] : [send()])
  if (batch.outcome !== 'accepted') return
  const first: SentRequest = { merchantId, reference: batch.payouts[0] ?? '', outcome: 'accepted' }
  if (choices.rarely(0.3) === 1) await cancels(stage, first, cancelled)
  await gateway.scheduler.sleep(choices.of(30 * SECOND, 5 * SECOND, 20 * MINUTE, 25 * HOUR))
  const again = (mark: string) => retries(stage, batch, mark, sent)
  await Promise.all(choices.rarely(0.4) === 1 ? [again('A'), again('B')] : [again('A')])
}

const newBatch = (merchantId: bigint, reference: string, rows: readonly BatchRow[]): SentBatch => ({
  merchantId,
  reference,
  payouts: rows.flatMap((row) => ('request' in row ? [row.request.merchantReference] : [])),
  outcome: 'unknown',
})

async function retries(stage: Stage, { merchantId, reference }: SentBatch, mark: string, sent: SentBatch[]) {
  const found = await stage.insist((deps) => deps.batches.find(merchantId, reference))
  if (!found) return
  const descriptions = new Map(found.payouts.map(({ payout }) => [payout.id, 'a payout tried again']))
  const rows = failedAgain(found.payouts, descriptions, { mark })
  if (rows.length === 0) return
  const batch = newBatch(merchantId, `${reference}-${mark}`, rows)
  sent.push(batch)
  await sendUntilKnown(stage, batch, rows, found)
}

async function sendUntilKnown(
  stage: Stage,
  batch: SentBatch,
  rows: readonly BatchRow[],
  retryOf?: { readonly id: bigint },
): Promise<void> {
  const merchant = stage.gateway.reference.merchant(batch.merchantId)
  const request = { reference: batch.reference, rows, ...(retryOf && { retryOf }) }
  let wasUnknown = false
  for (let tries = 0; tries < TRIES_MAX && batch.outcome !== 'accepted'; tries += 1) {
    try {
      await stage.served(stage.choices.among(3), (deps) => createPayoutBatch(deps, merchant, request))
      batch.outcome = 'accepted'
    } catch (error) {
      if (error instanceof Refusal) {
        const mayExist = error.code === 'duplicate_reference'
        if (!mayExist && !wasUnknown && batch.outcome === 'unknown') batch.outcome = 'refused'
        return
      }
      if (!isUnknown(error)) throw error
      wasUnknown = true
      await stage.gateway.scheduler.sleep(AGAIN_MS)
    }
  }
}

/** Batches exist whole or not at all, end with one callback, and nothing is tried again that did not fail. */
export function batchFaults({ world }: SimulatedGateway, sent: readonly SentBatch[]): string[] {
  const rows = [...world.batches.values()].flatMap((one) => one.rows)
  const times = Map.groupBy(rows, ({ transactionId }) => transactionId)
  const tried = Map.groupBy(rows, ({ retryOf }) => retryOf)
  return [
    ...sent.flatMap((batch) => sentFaults(world, batch)),
    ...[...times].filter(([, same]) => same.length > 1).map(([id]) => `payout ${id} is in two batches`),
    ...[...tried]
      .filter(([id, same]) => id !== undefined && same.length > 1)
      .map(([id]) => `${id} is tried again twice`),
    ...[...world.batches.values()].flatMap(({ batch, rows: own }) => [
      ...[endFaults, handshakeFaults].flatMap((faultsOf) =>
        faultsOf(
          world,
          batch,
          own.map(({ transactionId }) => transactionId),
        ),
      ),
      ...own.flatMap(({ retryOf }) => (retryOf === undefined ? [] : retryFaults(world, batch, retryOf))),
    ]),
  ]
}

type World = SimulatedGateway['world']
type StoredBatch = ReturnType<World['batches']['existing']>['batch']

function sentFaults(world: World, { merchantId, reference, payouts, outcome }: SentBatch): string[] {
  const id = world.batchNames.get(`${merchantId}:${reference}`)
  const rows = id === undefined ? [] : world.batches.existing(id).rows
  const stored = rows.map(({ transactionId }) => world.transactions.get(transactionId)?.transaction.merchantReference)
  if (outcome === 'accepted' && id === undefined) return [`lost: batch ${reference} was accepted and does not exist`]
  if (outcome === 'refused' && id !== undefined) return [`batch ${reference} was refused and exists`]
  if (id !== undefined && stored.join() !== payouts.join()) return [`batch ${reference} has ${stored.join()}`]
  // What was refused uses up no reference.
  const used = payouts.filter((one) => one.startsWith('BATCH-ROW-') && world.references.get(`${merchantId}:${one}`))
  return id === undefined && used.length > 0 ? [`batch ${reference} does not exist and has used up ${used.join()}`] : []
}

/** One handshake is about all payouts of a batch: none is held without a yes, and after a no none is left. */
function handshakeFaults(world: World, { reference, handshake }: StoredBatch, ids: readonly bigint[]): string[] {
  if (!handshake) return []
  const held = ids.filter((id) => world.eventsOf(id, 'held').length > 0)
  const asked = ids.slice(1).filter((id) => world.handshakes.has(id))
  const open = ids.filter((id) => !isFinal(world.transactions.existing(id).transaction.status))
  return [
    ...(held.length > 0 && handshake !== 'confirmed' ? [`batch ${reference} is ${handshake} and holds money`] : []),
    ...(asked.length > 0 ? [`payouts of batch ${reference} have handshakes of their own: ${asked.join()}`] : []),
    ...(open.length > 0 && handshake !== 'confirmed' ? [`batch ${reference} is ${handshake} and is not over`] : []),
  ]
}

function endFaults(world: World, { reference, finishedAt }: StoredBatch, ids: readonly bigint[]): string[] {
  const callbacks = [...world.callbacks.values()].filter(
    ({ transactionId, event }) => event === 'payout_batch.completed' && transactionId === ids[0],
  )
  const isOpen = ids.some((id) => !isFinal(world.transactions.existing(id).transaction.status))
  if (isOpen)
    return finishedAt === undefined && callbacks.length === 0 ? [] : [`batch ${reference} ended before its payouts`]
  if (finishedAt === undefined) return [`batch ${reference} never ends`]
  if (callbacks.length !== 1) return [`the end of batch ${reference} has ${callbacks.length} callbacks`]
  const early = ids.filter((id) => !world.eventsOf(id, 'settled').some(({ at }) => at <= finishedAt))
  return early.length === 0 ? [] : [`batch ${reference} ended before payout ${early.join()}`]
}

function retryFaults(world: World, { reference, createdAt }: StoredBatch, retryOf: bigint): string[] {
  const before = world.eventsOf(retryOf).filter(({ at }) => at <= createdAt)
  const failed = before.some(({ kind, detail }) => kind === 'settled' && detail.startsWith('FAILED'))
  const paid = before.some(
    ({ kind, detail, at }) =>
      at < createdAt && (kind === 'paid_not_booked' || (kind === 'settled' && detail.startsWith('COMPLETED'))),
  )
  return failed && !paid
    ? []
    : [`batch ${reference} tries ${retryOf} again, which ${paid ? 'was paid' : 'did not fail'}`]
}
