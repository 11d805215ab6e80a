import { createMalipo, MalipoError } from '@malipo/client'

const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })

try {
  const providers = await malipo.providers.list({ currency: 'UGX', transaction_type: 'COLLECTION' })
  for (const { provider_code, min_amount, max_amount } of providers) console.log(provider_code, min_amount, max_amount)
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
