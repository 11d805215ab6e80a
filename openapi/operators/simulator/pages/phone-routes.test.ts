import { expect, test } from 'vitest'
import { ANYBODY, mtnCaller } from '../mtn-momo/testing/mtn-caller.ts'
import { postForm, simulatedMtn } from '../testing/simulated.ts'

/** A collection that waits, and its customer's possible actions. */
async function waiting() {
  const simulator = await simulatedMtn()
  const mtn = mtnCaller(simulator)
  const { id } = await mtn.collect({ payerMessage: 'Tea <b>and</b> cake' })
  const phone = `${simulator.url}/phone/${ANYBODY}`
  return {
    simulator,
    phone,
    decide: (decision: string, pin = '') => postForm(phone, { order: id, decision, pin }),
    page: async () => (await fetch(phone)).text(),
    status: async () => (await mtn.call('GET', `/collection/v1_0/requesttopay/${id}`)).body,
  }
}

test('the prompt shows the request, and no text of a merchant is markup', async () => {
  const { page, simulator } = await waiting()
  const markup = await page()
  expect(markup).toContain('EUR 5000')
  expect(markup).toContain('Tea &#60;b&#62;and&#60;/b&#62; cake')
  expect(await (await fetch(`${simulator.url}/phone`)).text()).toContain(`<a href="/phone/${ANYBODY}">`)
})

test.each([
  ['approved', '1234', { status: 'SUCCESSFUL' }],
  ['cancelled', '', { status: 'FAILED', reason: 'APPROVAL_REJECTED' }],
  ['expired', '', { status: 'FAILED', reason: 'EXPIRED' }],
])('%s at the phone ends the order, which is then a message', async (decision, pin, result) => {
  const { decide, page, status } = await waiting()
  expect((await decide(decision, pin)).status).toBe(303)
  expect(await status()).toMatchObject(result)
  expect(await page()).toContain('No prompt is waiting.')
  expect(await page()).toMatch(/You have paid EUR 5000|failed/)
})

test('allows three attempts at the PIN', async () => {
  const { decide, status } = await waiting()
  const first = await decide('approved', '9999')
  expect([first.status, await first.text()]).toEqual([400, expect.stringContaining('That PIN is wrong.')])
  expect((await decide('wrong_pin')).status).toBe(400)
  expect(await status()).toMatchObject({ status: 'PENDING' })
  expect((await decide('wrong_pin')).status).toBe(303)
  expect(await status()).toMatchObject({ status: 'FAILED', reason: 'PAYMENT_NOT_APPROVED' })
})

test('approving needs a PIN, and an empty one does not count as wrong', async () => {
  const { decide, simulator } = await waiting()
  const answer = await decide('approved')
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('Enter the PIN to approve.')])
  expect(simulator.world.orders.all()[0]?.wrongPins).toBe(0)
})

test('ignores a form that is late, repeated or invalid', async () => {
  const { decide, status, simulator } = await waiting()
  expect((await decide('steal', '1234')).status).toBe(303)
  expect(await status()).toMatchObject({ status: 'PENDING' })
  await decide('approved', '1234')
  expect((await decide('approved', '1234')).status).toBe(303)
  expect((await decide('cancelled')).status).toBe(303)
  expect(simulator.world.orders.all()).toMatchObject([{ state: 'succeeded', moved: 1 }])
})

test('a customer without enough money has not paid', async () => {
  const { decide, status, phone, page } = await waiting()
  await postForm(`${phone}/balance`, { balance: '4999' })
  expect(await page()).toContain('The balance is EUR 4999.')
  await decide('approved', '1234')
  expect(await status()).toMatchObject({ status: 'FAILED', reason: 'NOT_ENOUGH_FUNDS' })
})

test('opens a phone by its number, in any notation', async () => {
  const { url } = await simulatedMtn()
  const open = (text: string) => fetch(`${url}/phone/open?msisdn=${encodeURIComponent(text)}`, { redirect: 'manual' })
  expect((await open('+256 770-000 001')).headers.get('location')).toBe('/phone/256770000001')
  const wrong = await open('grace')
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('That is not a number')])
})
