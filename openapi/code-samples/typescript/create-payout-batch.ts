import { createMalipo, MalipoError } from '@malipo/client'

const malipo = createMalipo({
  baseUrl: 'http://127.0.0.1:8080',
  publicKey: 'pub_sandbox_demo',
  secretKey: 'sec_sandbox_demo',
})

// Your own references, stored before you ask: sent again, the same batch pays nobody twice.
const batch_reference = `SALARIES-${Date.now()}`
try {
  const batch = await malipo.payouts.batch(
    {
      batch_reference,
      payouts: [
        {
          transaction_method: 'MOBILE_MONEY',
          provider_code: 'mtn_ug',
          merchant_reference: `${batch_reference}-1`,
          account_number: '256772000123',
          customer_name: 'Grace Auma',
          currency: 'UGX',
          amount: 20000,
          description: 'Salary of March',
        },
      ],
    },
    { idempotencyKey: batch_reference },
  )
  console.log('accepted, not yet paid:', batch.batch_reference)
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
