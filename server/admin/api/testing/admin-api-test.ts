import { randomUUID } from 'node:crypto'
import { createAdmin } from '../../../../client/admin.ts'
import { signInTest, type SignInTest } from '../../sign-in/testing/sign-in-test.ts'
import { withoutAudit } from '../../../storage/audited-pool.ts'
import { storeToken } from '../../queries/person-tokens.ts'

// For tests: the real gateway with its admin API, and people of each role who call it.

const DAY_MS = 86_400_000

export interface AdminApiTest extends SignInTest {
  /** The token of a new person with this role. */
  token(role: string, merchantId?: bigint): Promise<string>
  /** The generated client of the admin API with a token. */
  client(token: string): ReturnType<typeof createAdmin>
  /** The header of a change; a new key each time. */
  key(): { readonly 'Idempotency-Key': string }
}

export async function adminApiTest(...options: Parameters<typeof signInTest>): Promise<AdminApiTest> {
  const signIn = await signInTest(...options)
  const { gateway, clock, person, baseUrl } = signIn
  let people = 0
  return {
    ...signIn,
    async token(role, merchantId) {
      const { id: personId } = await person(`${role}${(people += 1)} of ${merchantId ?? 'staff'}`, role, merchantId)
      const token = randomUUID()
      const now = clock.now()
      const expiresAt = new Date(now.getTime() + DAY_MS)
      await storeToken(withoutAudit(gateway.pool), { kind: 'cli', personId, token, expiresAt }, now)
      return token
    },
    client: (token) => createAdmin({ baseUrl, token }),
    key: () => ({ 'Idempotency-Key': randomUUID() }),
  }
}
