import { expect, test } from 'vitest'
import { mtnCaller } from './testing/mtn-caller.ts'
import { advance, receiver, simulatedMtn, reportedBy } from '../testing/simulated.ts'
import { CONTRACT } from './contract.ts'

const NUMBERS = CONTRACT['x-test-numbers'].filter(({ number }) => number !== 'other')
const ORDERS = NUMBERS.filter(({ side }) => side !== 'holder')
const taken = ORDERS.filter(({ refused }) => refused === undefined)
const refusedOnes = ORDERS.filter(({ refused }) => refused !== undefined)

const party = (partyId: string) => ({ partyIdType: 'MSISDN', partyId })

test('the table has every number', () => {
  expect([taken.length, refusedOnes.length, NUMBERS.length - ORDERS.length]).toEqual([10, 18, 6])
})

test('refuses the refused numbers with their code at once', async () => {
  const mtn = mtnCaller(await simulatedMtn())
  for (const { side, number, refused } of refusedOnes) {
    const answer =
      side === 'payer' ? await mtn.collect({ payer: party(number) }) : await mtn.payOut({ payee: party(number) })
    expect([number, answer.body]).toEqual([number, expect.objectContaining({ code: refused })])
    expect([500, 503]).toContain(answer.status)
  }
})

test('ends accepted numbers as the table says, without a phone', async () => {
  const simulator = await simulatedMtn()
  const merchant = await receiver()
  const mtn = mtnCaller(simulator)
  const paths = new Map<string, string>()
  for (const { side, number } of taken) {
    const headers = { 'x-callback-url': `${merchant.url}/${side}/${number}` }
    const { id, status } =
      side === 'payer'
        ? await mtn.collect({ payer: party(number) }, headers)
        : await mtn.payOut({ payee: party(number) }, headers)
    expect(status).toBe(202)
    const path = side === 'payer' ? '/collection/v1_0/requesttopay' : '/disbursement/v1_0/transfer'
    paths.set(`${side} ${number}`, `${path}/${id}`)
  }
  const statuses = async () =>
    Promise.all(
      taken.map(async ({ side, number }) => {
        const { body } = await mtn.call('GET', paths.get(`${side} ${number}`) ?? '')
        const { status, reason = '' } = body as { status: string; reason?: string }
        return `${number.slice(-2)} ${status} ${reason}`.trim()
      }),
    )
  const quick = ['50 FAILED INTERNAL_PROCESSING_ERROR', '51 FAILED APPROVAL_REJECTED', '52 FAILED EXPIRED']
  await advance(simulator, 40_000)
  const early = [...quick, '53 PENDING', '54 CREATED']
  expect(await statuses()).toEqual([...early, ...early])
  await advance(simulator, 20_000)
  const late = [...quick, '53 FAILED EXPIRED', '54 SUCCESSFUL']
  expect(await statuses()).toEqual([...late, ...late])
  expect(merchant.received).toHaveLength(taken.length)
  expect(await reportedBy(simulator, '/simulator/orders')).toMatchObject({ moved: 2 })
})

test('account holders are active, unless their number is in the table', async () => {
  const mtn = mtnCaller(await simulatedMtn())
  const active = (number: string, product = 'collection') =>
    mtn.call('GET', `/${product}/v1_0/accountholder/msisdn/${number}/active`)
  for (const { number, refused, active: isActive } of NUMBERS.filter(({ side }) => side === 'holder')) {
    const { body } = await active(number)
    expect(body).toEqual(refused === undefined ? { result: isActive } : expect.objectContaining({ code: refused }))
  }
  for (const product of ['collection', 'disbursement', 'remittance'])
    expect((await active('256770000001', product)).body).toEqual({ result: true })
  expect((await mtn.call('GET', '/collection/v1_0/accountholder/email/a@b.example/active')).status).toBe(400)
  expect((await active('25677-000')).status).toBe(400)
})

test('the name behind a number is always the same', async () => {
  const mtn = mtnCaller(await simulatedMtn())
  const name = (number: string, product = 'collection') =>
    mtn.call('GET', `/${product}/v1_0/accountholder/msisdn/${number}/basicuserinfo`)
  const { status, body } = await name('256770000001')
  expect([status, body]).toEqual([200, expect.objectContaining({ given_name: expect.any(String), status: 'ACTIVE' })])
  expect((await name('256770000001', 'disbursement')).body).toEqual(body)
  expect((await name('46733123450')).body).toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
})
