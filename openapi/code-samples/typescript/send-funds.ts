import { createMalipo } from '@malipo/client'

const malipo = createMalipo({
  baseUrl: 'http://127.0.0.1:8080',
  publicKey: 'pub_sandbox_demo',
  secretKey: 'sec_sandbox_demo',
})

// One key per payout: when no reply arrives, send the same again, and nobody is paid twice.
const payout = await malipo.payouts.send(
  {
    transaction_method: 'MOBILE_MONEY',
    provider_code: 'mtn_ug',
    merchant_reference: 'PAYOUT-2026-0001',
    account_number: '256772000123',
    customer_name: 'Grace Auma',
    currency: 'UGX',
    amount: 20000,
    description: 'Refund of order 17',
  },
  { idempotencyKey: 'payout-2026-0001' },
)
console.log('accepted, not yet paid:', payout.internal_reference)
