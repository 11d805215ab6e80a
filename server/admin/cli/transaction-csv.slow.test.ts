import { expect, test } from 'vitest'
import { startCli } from './testing/command-line.ts'
import { environmentOf, operatedGateway } from './testing/operated-gateway.ts'

const gateway = await operatedGateway()

test('prints more rows of CSV than fit into memory', async () => {
  await gateway.collect(await gateway.newMerchant(), 'COPIED-0001', '256772888001')
  const rows = 60_000
  // In short transactions: a long one holds up what other tests of this PostgreSQL wait for.
  for (let from = 1; from <= rows; from += 1_000)
    await gateway.client.query(
      `insert into transactions select (jsonb_populate_record(t, jsonb_build_object('id', n, 'internal_reference', n))).*
       from transactions t, generate_series($1::int, $1 + 999) n where t.merchant_reference = 'COPIED-0001' and t.internal_reference like 'MLP%'`,
      [from],
    )
  const run = startCli(['transaction', 'list', '--csv'], {
    ...environmentOf(gateway.database),
    NODE_OPTIONS: '--max-old-space-size=64',
  })
  expect(await run.ended, run.err).toBe(0)
  expect(run.out.match(/\r\n/g)).toHaveLength(1 + 1 + rows)
})
