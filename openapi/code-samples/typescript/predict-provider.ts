import { createMalipo, MalipoError } from '@malipo/client'

const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })

try {
  const { provider_code, source } = await malipo.data.predictProvider({ msisdn: '256772000123' })
  console.log(provider_code, source)
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
