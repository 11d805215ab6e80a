import { createMalipo, MalipoError } from '@malipo/client'

const malipo = createMalipo({
  baseUrl: 'http://127.0.0.1:8080',
  publicKey: 'pub_sandbox_demo',
  secretKey: 'sec_sandbox_demo',
})

try {
  const wallets = await malipo.wallets.list({ currency: 'UGX' })
  for (const { wallet_type, available_balance, currency } of wallets)
    console.log(wallet_type, available_balance, currency)
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
