import { createMalipo, MalipoError } from '@malipo/client'

const malipo = createMalipo({
  baseUrl: 'http://127.0.0.1:8080',
  publicKey: 'pub_sandbox_demo',
  secretKey: 'sec_sandbox_demo',
})

try {
  const { batch_reference, batch_status, totals } = await malipo.payouts.getBatch('SALARIES-2026-03')
  console.log(batch_reference, batch_status)
  for (const { currency, amount, completed, failed } of totals) console.log(currency, amount, completed, failed)
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
