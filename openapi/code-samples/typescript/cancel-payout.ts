import { createMalipo, MalipoError } from '@malipo/client'

const malipo = createMalipo({
  baseUrl: 'http://127.0.0.1:8080',
  publicKey: 'pub_sandbox_demo',
  secretKey: 'sec_sandbox_demo',
})

try {
  const { internal_reference } = await malipo.payouts.cancel(
    { merchant_reference: 'PAYOUT-2026-0001' },
    { idempotencyKey: 'cancel-PAYOUT-2026-0001' },
  )
  console.log('cancelled', internal_reference)
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  if (error.status === undefined) console.error(error.message)
  else console.error(error.status === 409 ? 'too late:' : 'refused:', error.message)
  process.exitCode = 1
}
