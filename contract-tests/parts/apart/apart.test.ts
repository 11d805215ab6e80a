import { expect, test } from 'vitest'
import type { Target } from '../../harness/part.ts'
import { apartPart } from './apart.ts'

// suite.pull-request.test.ts shows that our gateway isolates two merchants, `npm run faults` what each check finds.
test('is skipped without a second merchant or test numbers, and says so', async () => {
  const keys = { publicKey: 'public', secretKey: 'secret' }
  const alone: Target = { url: 'http://127.0.0.1:9', ...keys, contract: '', sandbox: true }
  const seeded = { seed: 1, size: 'pull-request', log: () => undefined } as const
  const reasons = [
    await apartPart.run(alone, seeded),
    await apartPart.run({ ...alone, other: keys, sandbox: false }, seeded),
  ].map(({ status, reason }) => `${status}: ${reason}`)
  expect(reasons[0]).toMatch(/^skipped: .*--other-public-key/)
  for (const reason of reasons.slice(1)) expect(reason).toMatch(/^skipped: .*test numbers/)
})
