import type pg from 'pg'
import type { Transfer } from '../../../domain/ledger.ts'
import { present } from '../../../domain/present.ts'
import { bookTransfers } from '../../../storage/ledger.ts'
import { extendChain } from '../../../storage/ledger-chain.ts'
import { createPool, inTransaction, type Pool } from '../../../storage/pool.ts'
import { startGatewayProcess } from '../gateway-process.ts'
import { median } from '../load.ts'
import { processorSecondsOf, temporaryFolder } from '../processes.ts'
import { connectTo, type Section } from '../section.ts'

const ROUNDS = 8
const BATCHES = 60
const BATCH_TRANSFERS = 100
const TRANSFERS = BATCHES * BATCH_TRANSFERS
/** What a payment costs from acceptance to callback, as measured by `end-to-end` (server/scale.md). */
const PAYMENT_US = 2_600
const SHARE_MAX = 0.02

/** A completed collection, as it is booked. */
const collection: Transfer = {
  kind: 'deposit',
  transactionId: undefined,
  entries: [
    { account: house('rail'), amountMinor: -20_000n },
    { account: { ...house('collection_available'), merchantId: 1n }, amountMinor: 19_900n },
    { account: house('charges'), amountMinor: 100n },
  ],
}

function house(kind: 'rail' | 'collection_available' | 'charges') {
  return { kind, currency: 'UGX', merchantId: undefined, providerCode: undefined } as const
}

/**
 * Books with the hash chain and without it, in alternation, on one connection; measures the processor time of both
 * ends.
 */
export const chainSection: Section = {
  name: 'chain',
  what: 'booking with the hash chain over transfers and without it',
  async run(step) {
    const gateway = await startGatewayProcess('api', await temporaryFolder())
    const { client, connection, close } = await connectTo(gateway)
    const pool = createPool({ connection, connectionsMax: 1, onError: () => undefined })
    const rounds: { readonly chained: number; readonly plain: number }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      step(`round ${round + 1} of ${ROUNDS}`)
      const chained = await bookedUs(pool, client, true)
      rounds.push({ chained, plain: await bookedUs(pool, client, false) })
    }
    await pool.end()
    await close()
    await gateway.stop()
    const chainUs = median(rounds.map(({ chained, plain }) => chained - plain))
    const plainUs = median(rounds.map(({ plain }) => plain))
    return {
      figures: [
        {
          name: 'processor for the chain, each transfer',
          value: `${chainUs.toFixed(0)} µs`,
          peer: `a payment ${PAYMENT_US} µs`,
          ratio: chainUs / PAYMENT_US,
          target: `≤ ${SHARE_MAX} ×`,
          reached: chainUs / PAYMENT_US <= SHARE_MAX,
        },
        {
          name: 'booking with the chain',
          value: `${(plainUs + chainUs).toFixed(0)} µs`,
          peer: `without ${plainUs.toFixed(0)} µs`,
          ratio: (plainUs + chainUs) / plainUs,
        },
      ],
      notes: [`${ROUNDS} rounds of ${TRANSFERS} transfers each, in batches of ${BATCH_TRANSFERS}.`],
      raw: { rounds },
    }
  },
}

/** @returns microseconds of processor time per transfer, ours and PostgreSQL's */
async function bookedUs(pool: Pool, owner: pg.Client, withChain: boolean): Promise<number> {
  await owner.query(`alter table transfers ${withChain ? 'enable' : 'disable'} trigger unchained`)
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const backend = present(rows[0], 'the session').pid
  const used = async (): Promise<number> => {
    const { user, system } = process.cpuUsage()
    return user + system + present(await processorSecondsOf(backend), 'its processor') * 1e6
  }
  const before = await used()
  const transfers = Array.from({ length: BATCH_TRANSFERS }, () => collection)
  for (let batch = 0; batch < BATCHES; batch += 1)
    await inTransaction(pool, (client) => bookTransfers(client, transfers, new Date()))
  if (withChain) await extendChain(pool, () => new Date())
  return ((await used()) - before) / TRANSFERS
}
