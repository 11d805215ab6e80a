import { expect, test } from 'vitest'
import { examine } from '../../admin/queries/doctor.ts'
import { createFigures } from '../../admin/queries/figures.ts'
import { asOwner } from '../testing/database.ts'
import { collect, payOut, uniqueMsisdn, uniqueReference, verify } from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { testOfSimulatedRails } from '../testing/sandbox-rails.ts'

// One poison job must not hold up the others of its batch. It fails where every kind of job passes: in the history.

const { gateway, clock, database } = await gatewayTest({ env: { MALIPO_RATE_LIMIT: '100000' } })
await asOwner(
  database.connection,
  `
  create table poisoned (internal_reference text primary key);
  grant all on poisoned to public;
  create function refuse_poisoned() returns trigger language plpgsql as $$
  begin
    if exists (select from poisoned p join transactions t using (internal_reference) where t.id = new.transaction_id) then
      raise exception 'this one cannot be done';
    end if;
    return new;
  end $$;
  create trigger poisoned before insert on transaction_events for each row execute function refuse_poisoned()`,
)

const poison = (internalReference: string) =>
  gateway.pool.query('insert into poisoned values ($1)', [internalReference])
const heal = () => gateway.pool.query('delete from poisoned')
const statuses = async (references: readonly string[]) =>
  Promise.all(
    references.map(async (reference) => (await verify(gateway.url, reference)).body.data['transaction_status']),
  )
interface Quarantine {
  readonly kind: string
  readonly failures: number
  readonly last_error: string
  readonly due_at: Date
}
const quarantine = async () =>
  (await gateway.pool.query<Quarantine>('select kind, failures, last_error, due_at from jobs where failures > 0')).rows

/** Everywhere that staff are notified of it. The doctor also reports the trigger that poisons it. */
const reported = async () => ({
  doctor: (await examine(gateway.pool, clock.now()))
    .filter(({ name, found }) => found > 0 && name !== 'ledger_guarded')
    .map(({ name }) => name),
  metric: (await createFigures(gateway.pool).waitingForOperator()).quarantinedJobs,
})

async function send(
  count: number,
  what: 'payouts' | 'collections',
): Promise<{ readonly references: string[]; readonly internal: string[] }> {
  const sent = await Promise.all(
    Array.from({ length: count }, async () => {
      const reference = uniqueReference()
      const { status, body } =
        what === 'collections'
          ? await collect(gateway.url, { merchant_reference: reference, msisdn: uniqueMsisdn() })
          : await payOut(gateway.url, { merchant_reference: reference, amount: 1000 })
      expect(status).toBe(202)
      return { reference, internalReference: body.data['internal_reference'] as string }
    }),
  )
  return {
    references: sent.map(({ reference }) => reference),
    internal: sent.map(({ internalReference }) => internalReference),
  }
}

test.each(['payouts', 'collections'] as const)(
  'quarantines one poison job of many %s with growing delays; the others run',
  async (what) => {
    const { references, internal } = await send(25, what)
    await poison(internal[7]!)
    await gateway.runDue()
    clock.advance(1_000)
    await gateway.runDue()
    const healthy = references.filter((_, n) => n !== 7)
    expect(await statuses(healthy)).toEqual(healthy.map(() => 'COMPLETED'))
    expect(await statuses([references[7]!])).toEqual(['PENDING'])
    const [first, ...others] = await quarantine()
    expect(others).toEqual([])
    expect(first).toMatchObject({ failures: 1, last_error: 'error: this one cannot be done' })
    expect(await reported()).toEqual({ doctor: ['nothing_quarantined'], metric: 1 })

    const waitedMs = [first!.due_at.getTime() - clock.now().getTime() + 1_000]
    for (let tries = 2; tries <= 4; tries += 1) {
      clock.advance((await quarantine())[0]!.due_at.getTime() - clock.now().getTime())
      await gateway.runDue()
      const [again] = await quarantine()
      expect(again!.failures).toBe(tries)
      waitedMs.push(again!.due_at.getTime() - clock.now().getTime())
    }
    expect(waitedMs).toEqual([5_000, 10_000, 20_000, 40_000])

    await heal()
    clock.advance(40_000)
    await gateway.runDue()
    clock.advance(1_000)
    await gateway.runDue()
    expect(await statuses([references[7]!])).toEqual(['COMPLETED'])
    expect(await quarantine()).toEqual([])
    expect(await reported()).toEqual({ doctor: [], metric: 0 })
  },
)

testOfSimulatedRails('stores an operator message first and quarantines its job like any other')(
  "quarantines a rail's report that cannot be applied, and applies the others",
  async () => {
    const { references, internal } = await send(10, 'collections')
    await gateway.runDue()
    await poison(internal[3]!)
    clock.advance(1_000)
    await gateway.runDue()
    expect(await statuses(references)).toEqual(references.map((_, n) => (n === 3 ? 'PROCESSING' : 'COMPLETED')))
    const { rows } = await gateway.pool.query(
      'select failures, again_at from sandbox.reports where acknowledged_at is null',
    )
    expect(rows).toEqual([{ failures: 1, again_at: new Date(clock.now().getTime() + 5_000) }])
    await heal()
    clock.advance(5_000)
    await gateway.runDue()
    expect(await statuses([references[3]!])).toEqual(['COMPLETED'])
  },
)
