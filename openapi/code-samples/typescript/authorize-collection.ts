import { createMalipo, MalipoError } from '@malipo/client'

const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })

try {
  // The internal reference is in the reply to your collection. In the sandbox, numbers that end in 005 ask for the
  // password 123456.
  const { internal_reference } = await malipo.collections.authorize({
    internal_reference: 'MLPSVQSA9PFZYCMK46KMQQBKS',
    otp: 123456,
  })
  console.log('authorized', internal_reference)
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  if (error.status === undefined) console.error(error.message)
  else console.error(error.kind === 'validation' ? 'ask the customer again:' : 'refused:', error.message)
  process.exitCode = 1
}
