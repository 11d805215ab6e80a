import { expect, test } from 'vitest'
import { darajaCaller, simulatedDaraja } from '../daraja/testing/daraja-caller.ts'
import { mtnCaller } from '../mtn-momo/testing/mtn-caller.ts'
import { advance, receiver, simulatedMtn } from '../testing/simulated.ts'

const DELAY_MS = 1_000
const payer = (ending: string) => ({ payer: { partyIdType: 'MSISDN', partyId: `256772000${ending}` } })

test('the last three digits of an MTN number choose the outcome after the usual delay', async () => {
  const mtn = await simulatedMtn({ malipoNumbersMs: DELAY_MS })
  const { call, collect } = mtnCaller(mtn)
  const collected = async (ending: string) => ({ ending, id: (await collect(payer(ending))).id })
  const orders = await Promise.all(['001', '002', '003', '004', '006', '010'].map(collected))
  await advance(mtn, DELAY_MS)
  const reported = orders.map(async ({ ending, id }) => {
    const { body } = await call('GET', `/collection/v1_0/requesttopay/${id}`)
    const { status, reason } = body as { status: string; reason?: string }
    return [ending, status, reason]
  })
  expect(await Promise.all(reported)).toEqual([
    ['001', 'SUCCESSFUL', undefined],
    ['002', 'FAILED', 'NOT_ENOUGH_FUNDS'],
    ['003', 'FAILED', 'EXPIRED'],
    ['004', 'FAILED', 'APPROVAL_REJECTED'],
    ['006', 'PENDING', undefined],
    ['010', 'PENDING', undefined],
  ])
})

test('007 fails, is paid after all, and reports both; 009 reports three times', async () => {
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

test('008 fails twice at the connection', async () => {
  const mtn = await simulatedMtn({ malipoNumbersMs: DELAY_MS })
  const { collect } = mtnCaller(mtn)
  await expect(collect(payer('008'))).rejects.toThrow()
  await expect(collect(payer('008'))).rejects.toThrow()
  await expect(collect(payer('008'))).resolves.toMatchObject({ status: 202 })
})

test('011 has no account, 012 an inactive one, 013 gets no answer, 014 has no name', async () => {
  const { call } = mtnCaller(await simulatedMtn({ malipoNumbersMs: DELAY_MS }))
  const ask = async (ending: string, what: string) =>
    (await call('GET', `/collection/v1_0/accountholder/msisdn/256772000${ending}/${what}`)).body
  expect(await ask('011', 'active')).toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
  expect(await ask('012', 'active')).toEqual({ result: false })
  await expect(ask('013', 'active')).rejects.toThrow()
  expect(await ask('014', 'active')).toEqual({ result: true })
  expect(await ask('014', 'basicuserinfo')).not.toHaveProperty('given_name')
  expect(await ask('015', 'basicuserinfo')).toHaveProperty('given_name')
})

test('M-PESA reports no reversal of a failure, and pays a payout instead of timing out', async () => {
  const { url: callbacks, received } = await receiver()
  const daraja = await simulatedDaraja({ malipoNumbersMs: DELAY_MS })
  const { push, payOut } = darajaCaller(daraja)
  await push({ PhoneNumber: '254712345007', PartyA: '254712345007', CallBackURL: `${callbacks}/late` })
  await payOut({ PartyB: '254712345003', ResultURL: `${callbacks}/paid`, QueueTimeOutURL: `${callbacks}/queue` })
  await advance(daraja, 3 * DELAY_MS)
  const paths = received.map(({ path }) => path)
  expect(paths.toSorted()).toEqual(['/late', '/paid', '/queue'])
  expect(daraja.world.orders.of('254712345007')).toMatchObject([{ state: 'succeeded', moved: 1 }])
})
