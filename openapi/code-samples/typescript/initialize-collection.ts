import { createMalipo, MalipoError } from '@malipo/client'

const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })

// Your own reference, stored before you ask: when no reply arrives, send the same again, and nobody pays twice.
const orderReference = `ORDER-${Date.now()}`
try {
  const collection = await malipo.collections.initialize(
    {
      transaction_method: 'MOBILE_MONEY',
      provider_code: 'mtn_ug',
      merchant_reference: orderReference,
      msisdn: '256772000123',
      currency: 'UGX',
      amount: 5000,
      description: 'Order 2026-0001',
    },
    { idempotencyKey: orderReference },
  )
  console.log('accepted, not yet paid:', collection.internal_reference)
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
