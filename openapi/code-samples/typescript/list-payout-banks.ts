import { createMalipo, MalipoError } from '@malipo/client'

const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })

try {
  const banks = await malipo.banks.list({ provider_code: 'bank_ng' })
  for (const { bank_code, bank_name } of banks) console.log(bank_code, bank_name)
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
