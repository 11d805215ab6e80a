import { expect, test } from 'vitest'
import { SANDBOX_OTP } from '../../start/one-time-passwords.ts'
import { hostedCollection, phoneCollection } from '../testing/client-requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { postJson, uniqueMsisdn, uniqueReference, type RawReply } from '../testing/requests.ts'
import { refusal } from '../testing/refusal.ts'

// OTPs and cancelling: over HTTP where merchants act, through the page's actions where customers do. Times and tries are
// tested in payment-session.test.ts and by the part `limits` of the contract suite, steps in any order by the simulation.

const { gateway, after, malipo } = await gatewayTest()

let counter = 0
const withOtp = () =>
  phoneCollection({
    provider_code: 'mtn_gh',
    msisdn: `23324${String((counter += 1)).padStart(4, '0')}123`,
    currency: 'GHS',
    amount: 10,
  })
const otpReply = (internal_reference: string, otp: number): Promise<RawReply> =>
  postJson(gateway.url, '/collections/authorize', { internal_reference, otp })

const steps = () => gateway.paymentSteps

test.each([
  ['a provider that requires one', withOtp(), true],
  ['test number 005', phoneCollection({ msisdn: uniqueMsisdn('005') }), true],
  ['any other number', phoneCollection({}), false],
])('the page of %s shows the customer beforehand what comes first', async (_whose, request, requiresOtp) => {
  const hosted = { ...hostedCollection(), ...request }
  const { internal_reference } = await malipo.collections.initialize(hosted)
  expect((await steps().view(internal_reference))?.step).toMatchObject({ step: 'confirm_phone', requiresOtp })
})
test('of 200 guesses at once five are checked', async () => {
  const { internal_reference } = await malipo.collections.initialize(withOtp())
  const replies = await Promise.all(Array.from({ length: 200 }, (_, n) => otpReply(internal_reference, 200_000 + n)))
  expect(replies.filter(({ body }) => body.message === refusal('otp_wrong'))).toHaveLength(5)
  // All the others come too late; on a busy machine some of them wait so long for a connection that they get 503.
  expect(replies.filter(({ status }) => status === 409 || status === 503)).toHaveLength(195)
  expect((await otpReply(internal_reference, SANDBOX_OTP)).status).toBe(409)
})

test('confirming and cancelling at the same moment: one of them happens', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { internal_reference } = await malipo.collections.initialize(hostedCollection())
    const results = await Promise.all([
      steps().confirm(internal_reference),
      steps().cancel(internal_reference),
      steps().confirm(internal_reference),
      steps().cancel(internal_reference),
    ])
    expect(results.filter((result) => result === 'done')).toHaveLength(1)
  }
  await after(1000)
  await expectBalancedBooks(gateway)
})

test('the receipt of the customer says what was refunded', async () => {
  const { internal_reference, merchant_reference, payment_url } =
    await malipo.collections.initialize(hostedCollection())
  await steps().confirm(internal_reference)
  await after(1000)
  await malipo.collections.refund({
    merchant_reference: uniqueReference(),
    collection_reference: merchant_reference,
    amount: 2000,
    reason: 'Returned',
  })
  await after(1000)
  expect(await (await fetch(`${payment_url!}?from=form`)).text()).toMatch(/Refunded.*2,000/s)
})
