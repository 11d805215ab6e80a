import { createMalipo } from '@malipo/client'

const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })

// One key per order: when no reply arrives, send the same again, and nobody pays twice.
const collection = await malipo.collections.initialize(
  {
    transaction_method: 'MOBILE_MONEY',
    provider_code: 'mtn_ug',
    merchant_reference: 'ORDER-2026-0001',
    msisdn: '256772000123',
    currency: 'UGX',
    amount: 5000,
    description: 'Order 2026-0001',
  },
  { idempotencyKey: 'order-2026-0001' },
)
console.log('accepted, not yet paid:', collection.internal_reference)
