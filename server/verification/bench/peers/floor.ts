// The floor under a whole payment: what the same libraries cost when nothing of ours runs. One batched insert, after the
// rail's delay one settling statement for each batch, one RSA signature, one POST. It has no limits, no unique
// references, no jobs, no ledger and no attempts: a crash loses what it has accepted.
import { generateKeyPairSync, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type pg from 'pg'
import { Agent, request } from 'undici'
import { present } from '../../../domain/present.ts'
import { COLUMNS, valuesOf } from './peer-row.ts'

export interface FloorPayment {
  readonly merchant_reference: string
  readonly internal_reference: string
  readonly msisdn: string
}

const BATCH_MAX = 500
const signAsync = promisify(sign)

/** @returns a function that resolves when a payment is stored, and finishes it after the delay */
export function createFloor(
  pool: pg.Pool,
  { callbackUrl, delayMs }: { readonly callbackUrl: string; readonly delayMs: number },
): (payment: FloorPayment) => Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const dispatcher = new Agent({ connections: 64 })

  async function report(payment: FloorPayment): Promise<void> {
    const body = JSON.stringify({
      event: 'transaction.completed',
      data: { ...payment, transaction_status: 'COMPLETED', currency: 'UGX', amount: 500, total_credit: 495 },
    })
    const signature = await signAsync('sha256', Buffer.from(body), privateKey)
    const headers = { 'content-type': 'application/json', 'x-signature': signature.toString('base64') }
    const reply = await request(callbackUrl, { method: 'POST', body, headers, dispatcher })
    await reply.body.dump()
  }

  const settle = inBatches<string>(async (ids) => {
    await pool.query({
      name: 'settle',
      text: `update bench_peer set status = 'COMPLETED', status_message = 'Transaction Completed Successfully', final_at = now()
             where id = any($1)`,
      values: [ids],
    })
    return ids
  })

  const accept = inBatches<FloorPayment>(async (payments) => {
    const { rows } = await pool.query<{ id: string; internal_reference: string }>({
      name: 'accept-all',
      text: `insert into bench_peer (${COLUMNS})
             select ${valuesOf('r.merchant_reference', 'r.internal_reference', 'r.account')}
             from unnest($1::text[], $2::text[], $3::text[]) as r (merchant_reference, internal_reference, account)
             returning id, internal_reference`,
      values: [
        payments.map(({ merchant_reference }) => merchant_reference),
        payments.map(({ internal_reference }) => internal_reference),
        payments.map(({ msisdn }) => msisdn),
      ],
    })
    const ids = new Map(rows.map(({ id, internal_reference }) => [internal_reference, id]))
    return payments.map(({ internal_reference }) => present(ids.get(internal_reference), 'an id'))
  })

  return async (payment) => {
    const id = await accept(payment)
    setTimeout(() => void settle(id).then(() => report(payment)), delayMs)
  }
}

/**
 * While one batch runs the next one gathers: batches are as large as the load is.
 * @param run returns one result for each item
 */
function inBatches<Item>(run: (items: readonly Item[]) => Promise<readonly string[]>): (item: Item) => Promise<string> {
  interface Batch {
    readonly items: Item[]
    readonly results: Promise<readonly string[]>
  }
  let last: Promise<unknown> = Promise.resolve()
  let gathering: Batch | undefined
  return async (item) => {
    if (gathering === undefined || gathering.items.length === BATCH_MAX) {
      const items: Item[] = []
      const results = last.then(() => {
        if (gathering?.items === items) gathering = undefined
        return run(items)
      })
      gathering = { items, results }
      last = results.catch(() => undefined)
    }
    const { items, results } = gathering
    const index = items.push(item) - 1
    return present((await results)[index], 'the result of an item')
  }
}
