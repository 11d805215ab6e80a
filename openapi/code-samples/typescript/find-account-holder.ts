import { createMalipo, MalipoError } from '@malipo/client'

const malipo = createMalipo({
  baseUrl: 'http://127.0.0.1:8080',
  publicKey: 'pub_sandbox_demo',
  secretKey: 'sec_sandbox_demo',
})

try {
  const { account_status, masked_name } = await malipo.data.accountHolder({
    provider_code: 'mtn_ug',
    msisdn: '256772000123',
  })
  console.log(account_status, masked_name)
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
