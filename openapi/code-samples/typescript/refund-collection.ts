import { createMalipo, MalipoError } from '@malipo/client'

const malipo = createMalipo({
  baseUrl: 'http://127.0.0.1:8080',
  publicKey: 'pub_sandbox_demo',
  secretKey: 'sec_sandbox_demo',
})

// Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is refunded twice.
const refundReference = `REFUND-${Date.now()}`
try {
  const refund = await malipo.collections.refund(
    {
      merchant_reference: refundReference,
      amount: 2000,
      collection_reference: 'ORDER-2026-0001',
      reason: 'One of two items returned',
    },
    { idempotencyKey: refundReference },
  )
  console.log('accepted, not yet refunded:', refund.internal_reference)
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
