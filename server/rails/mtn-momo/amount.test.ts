import { expect, test } from 'vitest'
import { connected, DIRECTIONS, order, result } from './testing/connected.ts'

test.each([
  ['UGX', 5000n, '5000'],
  ['EUR', 500n, '5'],
  ['EUR', 550n, '5.50'],
  ['EUR', 5n, '0.05'],
  ['KWD', 1001n, '1.001'],
  ['EUR', 90_071_992_547_409_931n, '900719925474099.31'],
])('%s %i in minor units is %s on the wire, both ways', async (currency, amountMinor, text) => {
  const { operator, adapter } = await connected({ world: { currency } })
  operator.on(DIRECTIONS.COLLECTION.post, 202)
  operator.on(DIRECTIONS.COLLECTION.get, {
    status: 200,
    body: result({ status: 'SUCCESSFUL', amount: text, currency }),
  })
  const given = order({ amount: { amountMinor, currency } })
  await adapter.submit(given)
  expect(operator.requestsTo(DIRECTIONS.COLLECTION.post)[0]?.json()).toMatchObject({ amount: text, currency })
  expect(await adapter.query(given)).toMatchObject({ knows: 'outcome' })
  expect(await adapter.query(order({ amount: { amountMinor: amountMinor + 1n, currency } }))).toMatchObject({
    knows: 'unreachable',
  })
})
