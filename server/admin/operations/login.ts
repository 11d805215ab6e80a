import { endToken, storeToken, takeLoginCode } from '../queries/person-tokens.ts'
import { displayValues } from './display-values.ts'
import { OperationRefusal, type Operation, type OperationContext } from './operation.ts'

interface LoginInput {
  readonly email: string
  /** One-time. */
  readonly code: string
  /** Of the login, made by the command line. */
  readonly token: string
  readonly seconds: number
}

type LoggedIn = { readonly expires_at: string }

export const wrongCode = (): OperationRefusal =>
  new OperationRefusal(
    'forbidden',
    'the code is wrong, was used before, or has expired',
    'An admin makes a new one with people reset.',
  )

const personIdOf = ({ actor }: OperationContext): bigint => {
  if ('personId' in actor) return actor.personId
  throw wrongCode()
}

/** Uses a one-time code up for a login of the command line. The actor is the person of the code. */
export const logIn: Operation<LoginInput, LoggedIn> = {
  name: 'login',
  async prepare(context, { email, code, token, seconds }) {
    const personId = personIdOf(context)
    return {
      subject: email,
      read: async (_pool, loggedIn) => displayValues({ 'logged in until': loggedIn?.expires_at }),
      async apply(pool) {
        const now = context.clock.now()
        if (!(await takeLoginCode(pool, code, now))) throw wrongCode()
        const expiresAt = new Date(now.getTime() + seconds * 1000)
        await storeToken(pool, { kind: 'cli', personId, token, expiresAt }, now)
        return { expires_at: expiresAt.toISOString() }
      },
    }
  },
}

/** Ends a login of the command line. */
export const logOut: Operation<Pick<LoginInput, 'email' | 'token'>, Record<never, never>> = {
  name: 'logout',
  prepare: async (_context, { email, token }) => ({
    subject: email,
    read: async () => ({}),
    async apply(pool) {
      await endToken(pool, token)
      return {}
    },
  }),
}
