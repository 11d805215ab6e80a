import { expect, test } from 'vitest'
import { STEPS } from './testing/fake-payments.ts'
import { alertOf, heading, opened, start } from './testing/tab.ts'

test('the page offers the same number again, another one, and another provider', async () => {
  const payments = start()
  const reference = payments.add(STEPS.retry)
  const tab = await opened(payments, reference)
  const { body } = await tab.get()
  expect(heading(body)).toBe('The payment did not go through')
  expect(body).toContain('There is not enough money in the account')
  expect(body).toContain('Try again with the number ending in 002')
  expect(body).not.toContain('256772000002')
  await tab.post('retry')
  await tab.post('retry', { phone: '0752 000 001', provider: 'airtel_ug' })
  await tab.post('retry', { phone: '0752 000 001', provider: '' })
  expect(payments.calls.map(({ given }) => given)).toEqual([
    {},
    { phone: '0752 000 001', providerCode: 'airtel_ug' },
    { phone: '0752 000 001' },
  ])
})

test('a number that cannot pay gets an error at its field, and stays', async () => {
  const payments = start()
  const tab = await opened(payments, payments.add(STEPS.retry))
  const reply = await tab.post('retry', { phone: '0', provider: '' })
  expect([reply.statusCode, alertOf(reply.body)]).toEqual([
    400,
    'That number cannot pay here. Check it, or choose another provider.',
  ])
  expect(reply.body).toMatch(/id="phone"[^>]*value="0"[^>]*aria-invalid="true"/)
})

test('the waiting page has the code to dial, and the receipt its number', async () => {
  const payments = start()
  const waiting = await opened(payments, payments.add(STEPS.approve_phone))
  expect((await waiting.get()).body).toContain('Or dial <bdi>*165#</bdi> on that phone.')
  const paid = await opened(payments, payments.add(STEPS.completed, { receipt: 'QK12AB34CD' }))
  expect((await paid.get('?from=form')).body).toMatch(/Receipt number<\/dt><dd><code>QK12AB34CD/)
})
