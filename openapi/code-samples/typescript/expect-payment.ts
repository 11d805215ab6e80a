import { createMalipo, MalipoError } from '@malipo/client'

const malipo = createMalipo({
  baseUrl: 'http://127.0.0.1:8080',
  publicKey: 'pub_sandbox_demo',
  secretKey: 'sec_sandbox_demo',
})

// Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is expected twice.
const orderReference = `ORDER-${Date.now()}`
try {
  const expected = await malipo.collections.expect(
    {
      merchant_reference: orderReference,
      amount: 5000,
      provider_code: 'mtn_ug',
      customer_reference: 'auto',
      currency: 'UGX',
      description: 'Invoice 2026-1',
    },
    { idempotencyKey: orderReference },
  )
  console.log('to be typed by the customer:', expected.customer_reference)
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
