import { createMalipo, MalipoError } from '@malipo/client'

const malipo = createMalipo({
  baseUrl: 'http://127.0.0.1:8080',
  publicKey: 'pub_sandbox_demo',
  secretKey: 'sec_sandbox_demo',
})

// Your own reference, stored before you ask: when no reply arrives, send the same again, and nobody is paid twice.
const payoutReference = `PAYOUT-${Date.now()}`
try {
  const payout = await malipo.payouts.send(
    {
      transaction_method: 'MOBILE_MONEY',
      provider_code: 'mtn_ug',
      merchant_reference: payoutReference,
      account_number: '256772000123',
      customer_name: 'Grace Auma',
      currency: 'UGX',
      amount: 20000,
      description: 'Refund of order 17',
    },
    { idempotencyKey: payoutReference },
  )
  console.log('accepted, not yet paid:', payout.internal_reference)
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
