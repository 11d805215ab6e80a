import { expect, test } from 'vitest'
import { mtnCaller } from '../testing/mtn-caller.ts'
import { advance, receiver, simulatedMtn } from '../testing/simulated.ts'

const DELAY_MS = 1_000
const payer = (ending: string) => ({ payer: { partyIdType: 'MSISDN', partyId: `256772000${ending}` } })

test.each([
  ['001', 'SUCCESSFUL', undefined],
  ['002', 'FAILED', 'NOT_ENOUGH_FUNDS'],
  ['003', 'FAILED', 'EXPIRED'],
  ['004', 'FAILED', 'APPROVAL_REJECTED'],
  ['006', 'PENDING', undefined],
  ['010', 'PENDING', undefined],
])('a number of MTN that ends in %s is %s after the usual delay', async (ending, status, reason) => {
  const mtn = await simulatedMtn({ malipoNumbersMs: DELAY_MS })
  const { call, collect } = mtnCaller(mtn)
  const { id } = await collect(payer(ending))
  await advance(mtn, DELAY_MS)
  const { body } = await call('GET', `/collection/v1_0/requesttopay/${id}`)
  expect(body).toMatchObject({ status, ...(reason !== undefined && { reason }) })
})

test('007 fails and is paid after all, and both are told; 009 is told three times', async () => {
  const { url: callbacks, received } = await receiver()
  const mtn = await simulatedMtn({ malipoNumbersMs: DELAY_MS })
  const { collect } = mtnCaller(mtn)
  await collect(payer('007'), { 'x-callback-url': `${callbacks}/late` })
  await collect(payer('009'), { 'x-callback-url': `${callbacks}/often` })
  await advance(mtn, DELAY_MS)
  const bodies = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)
  expect(bodies('/late')).toMatchObject([{ status: 'FAILED', reason: 'EXPIRED' }])
  expect(bodies('/often')).toMatchObject(Array.from({ length: 3 }, () => ({ status: 'SUCCESSFUL' })))
  await advance(mtn, 2 * DELAY_MS)
  expect(bodies('/late')).toMatchObject([{ status: 'FAILED' }, { status: 'SUCCESSFUL' }])
})

test('008 does not come through twice', async () => {
  const mtn = await simulatedMtn({ malipoNumbersMs: DELAY_MS })
  const { collect } = mtnCaller(mtn)
  await expect(collect(payer('008'))).rejects.toThrow()
  await expect(collect(payer('008'))).rejects.toThrow()
  await expect(collect(payer('008'))).resolves.toMatchObject({ status: 202 })
})
